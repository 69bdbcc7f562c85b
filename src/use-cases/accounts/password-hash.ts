// Stored passwords: scrypt with the costs that OWASP's cheat sheet names for 32 MB, a salt for each, and
// the costs beside the hash, so that they can be raised later.
import { randomBytes, type ScryptOptions, scrypt, timingSafeEqual } from "node:crypto";
import { availableParallelism } from "node:os";
import { promisify } from "node:util";
import { createPasswordQueue, type PasswordTurn } from "./password-queue.ts";

/** Costs of new hashes. Tests lower them: they sign in hundreds of users. */
export const hashCosts = { N: 2 ** 15, r: 8, p: 3 };

const saltBytes = 16;
const hashBytes = 32;

const queue = createPasswordQueue({
  // A hash needs 32 MB and a processor: sign-ins leave one to everything else, where there are two.
  runningMax: Math.min(2, Math.max(1, availableParallelism() - 1)),
  waitingMax: 60,
  waitingPerNetworkMax: 2,
  waitingPerAccountMax: 1,
});

/** In place of a hash, for users who only sign in through a provider: no password matches it. */
export const noPassword = "";

export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(saltBytes);
  return formatHash(salt, await derive(password, { salt, ...hashCosts }, null));
}

function formatHash(salt: Buffer, hash: Buffer): string {
  const { N, r, p } = hashCosts;
  return ["scrypt", N, r, p, salt.toString("base64"), hash.toString("base64")].join("$");
}

/**
 * Takes as long without a hash as with one, so that the duration does not reveal whether an account exists.
 *
 * @throws AppError `rate_limited` when the network or account has enough in line, `unavailable` when all have
 */
export async function isPassword(
  password: string,
  storedHash: string | null,
  turn: PasswordTurn | null = null,
): Promise<boolean> {
  const parsed = parseHash(storedHash || formatDummyHash());
  const hash = await derive(password, parsed, turn);
  return timingSafeEqual(hash, parsed.hash) && Boolean(storedHash);
}

function formatDummyHash(): string {
  return formatHash(Buffer.alloc(saltBytes), Buffer.alloc(hashBytes));
}

type Salted = { salt: Buffer; N: number; r: number; p: number };

function parseHash(storedHash: string): Salted & { hash: Buffer } {
  const [algorithm, N, r, p, salt = "", hash = ""] = storedHash.split("$");
  if (algorithm !== "scrypt") throw new Error("a stored password has an unknown algorithm");
  return {
    N: Number(N),
    r: Number(r),
    p: Number(p),
    salt: Buffer.from(salt, "base64"),
    hash: Buffer.from(hash, "base64"),
  };
}

const runScrypt = promisify<string, Buffer, number, ScryptOptions, Buffer>(scrypt);
const maxmem = 64 * 1024 * 1024;

function derive(
  password: string,
  { salt, ...options }: Salted,
  turn: PasswordTurn | null,
): Promise<Buffer> {
  // NFKC: the same letters typed in two ways are one password.
  const text = password.normalize("NFKC");
  return queue.run(turn, () => runScrypt(text, salt, hashBytes, { ...options, maxmem }));
}
