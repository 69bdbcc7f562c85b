// Stored passwords: scrypt with the costs that OWASP's cheat sheet names for 32 MB, a salt for each, and
// the costs beside the hash, so that they can be raised later.
import { randomBytes, type ScryptOptions, scrypt, timingSafeEqual } from "node:crypto";
import { createPasswordQueue, type PasswordTurn } from "./password-queue.ts";

const costs = { N: 2 ** 15, r: 8, p: 3 };
const saltBytes = 16;
const hashBytes = 32;

const queue = createPasswordQueue({
  // One hash needs 32 MB: many at once must not use up the memory of the service.
  runningMax: 2,
  waitingMax: 60,
  waitingPerNetworkMax: 2,
  waitingPerAccountMax: 1,
});

/** In place of a hash, for users who only sign in through a provider: no password matches it. */
export const noPassword = "";

export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(saltBytes);
  const hash = await derive(password, { salt, ...costs }, null);
  const { N, r, p } = costs;
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
  const parsed = parseHash(storedHash || dummyHash);
  const hash = await derive(password, parsed, turn);
  return timingSafeEqual(hash, parsed.hash) && Boolean(storedHash);
}

const dummyHash = [
  "scrypt",
  costs.N,
  costs.r,
  costs.p,
  Buffer.alloc(saltBytes).toString("base64"),
  Buffer.alloc(hashBytes).toString("base64"),
].join("$");

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

async function derive(
  password: string,
  { salt, ...options }: Salted,
  turn: PasswordTurn | null,
): Promise<Buffer> {
  const all = { ...options, maxmem: 64 * 1024 * 1024 };
  return queue.run(turn, () => runScrypt(password, { salt, options: all }));
}

function runScrypt(
  password: string,
  { salt, options }: { salt: Buffer; options: ScryptOptions },
): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    // NFKC: the same letters typed in two ways are one password.
    scrypt(password.normalize("NFKC"), salt, hashBytes, options, (error, hash) =>
      error ? reject(error) : resolve(hash),
    );
  });
}
