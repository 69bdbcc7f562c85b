// Stored passwords: scrypt with the costs that OWASP's cheat sheet names for 32 MB, a salt for each, and
// the costs beside the hash, so that they can be raised later.
import { randomBytes, type ScryptOptions, scrypt, timingSafeEqual } from "node:crypto";
import { AppError } from "../../domain/error.ts";

const costs = { N: 2 ** 15, r: 8, p: 3 };
const saltBytes = 16;
const hashBytes = 32;
/** One hash needs 32 MB: many at once must not use up the memory of the service. */
const runningMax = 2;
/** The sign-in throttle refuses further attempts long before. */
const waitingMax = 200;

/** @throws AppError `unavailable` when far too many wait already */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(saltBytes);
  const hash = await derive(password, { salt, ...costs });
  const { N, r, p } = costs;
  return ["scrypt", N, r, p, salt.toString("base64"), hash.toString("base64")].join("$");
}

/**
 * Takes as long for a null hash as for a real one, so that the time does not tell whether an account
 * exists.
 *
 * @throws AppError `unavailable` when far too many wait already
 */
export async function isPassword(password: string, storedHash: string | null): Promise<boolean> {
  const parsed = parseHash(storedHash ?? dummyHash);
  const hash = await derive(password, parsed);
  return timingSafeEqual(hash, parsed.hash) && storedHash !== null;
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

let runningCount = 0;
const waiting: (() => void)[] = [];

async function derive(password: string, { salt, ...options }: Salted): Promise<Buffer> {
  if (runningCount >= runningMax) {
    if (waiting.length >= waitingMax) throw tooMany();
    await new Promise<void>((resolve) => waiting.push(resolve));
  } else runningCount += 1;
  try {
    return await runScrypt(password, { salt, options: { ...options, maxmem: 64 * 1024 * 1024 } });
  } finally {
    // The next one in line takes over the slot, so the count stays while somebody waits.
    const next = waiting.shift();
    if (next) next();
    else runningCount -= 1;
  }
}

function tooMany(): AppError {
  return new AppError("unavailable", "too many passwords are being checked: try again later");
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
