// E-mail and password: one answer and one duration for whatever is wrong, and a throttle for each account
// and each address.
import { hash } from "node:crypto";
import type { Keep } from "../keep/keep.ts";
import type { Clock } from "../lib/clock.ts";
import type { Log } from "../lib/log.ts";
import { minuteMs, secondMs } from "../lib/timestamp.ts";
import { isPassword } from "../manage/password-hash.ts";
import { readEmail } from "../manage/person-choice.ts";
import { AppError } from "../reviews/error.ts";
import type { User } from "../reviews/person.ts";
import { networkOf } from "./caller.ts";
import { ComeBackLater } from "./problem.ts";

/** The stretch that tries are counted in; it begins with the first. */
const stretchMs = 15 * minuteMs;

// An account from one address has few tries; from everywhere it has more, because otherwise anybody
// could lock anybody out with five requests. What an address has spent no longer counts for the account.
const triesMax = { pair: 5, account: 30, address: 30 };

export type SignInRooms = { clock: Clock; keep: Keep; log: Log };

/** @throws AppError `unauthorized`, or ComeBackLater */
export async function checkSignIn(
  rooms: SignInRooms,
  given: { email: string; password: string; address: string },
): Promise<User> {
  const { email, faults } = readEmail(given.email);
  const tries = await countTry(rooms, { email, address: given.address });
  const known = faults.length === 0 ? await rooms.keep.findUserByEmail(email) : null;
  if (!(await isPassword(given.password, known?.passwordHash ?? null)) || !known) {
    // Without the address that was typed: people type passwords there.
    rooms.log.warn({ address: given.address, userId: known?.id ?? null }, "a sign-in was refused");
    throw new AppError("unauthorized", "e-mail or password is wrong");
  }
  await tries.forgive();
  rooms.log.info({ address: given.address, userId: known.id }, "somebody signed in");
  return known;
}

type Tries = { forgive(): Promise<void> };

/** For links: counted by the address alone. */
export async function countLinkTry(rooms: SignInRooms, address: string): Promise<Tries> {
  const key = `link ${networkOf(address)}`;
  await takeTry(rooms, { key, max: triesMax.address });
  return { forgive: () => rooms.keep.forgiveTries({ cleared: [], lessened: [key] }) };
}

/** For a password that a signed-in person proves once more: whoever stole a session has few tries. */
export async function countProof(rooms: SignInRooms, userId: string): Promise<Tries> {
  const key = `proof ${userId}`;
  await takeTry(rooms, { key, max: triesMax.pair });
  return { forgive: () => rooms.keep.forgiveTries({ cleared: [key], lessened: [] }) };
}

async function countTry(
  rooms: SignInRooms,
  given: { email: string; address: string },
): Promise<Tries> {
  // People type passwords into the wrong field, and what is typed there need not be text to keep.
  const name = hash("sha256", given.email, "base64url");
  const place = networkOf(given.address);
  const pair = `pair ${name} ${place}`;
  const account = `account ${name}`;
  const peer = `address ${place}`;
  // One after the other: what is spent leaves no trace behind it, in the table either.
  await takeTry(rooms, { key: peer, max: triesMax.address });
  await takeTry(rooms, { key: pair, max: triesMax.pair });
  await takeTry(rooms, { key: account, max: triesMax.account });
  return {
    forgive: () => rooms.keep.forgiveTries({ cleared: [pair], lessened: [account, peer] }),
  };
}

async function takeTry(
  { clock, keep, log }: SignInRooms,
  { key, max }: { key: string; max: number },
): Promise<void> {
  const now = clock.now();
  const endsAt = new Date(now.getTime() + stretchMs);
  const [counted] = await keep.countTries({ keys: [key], now, endsAt });
  if (!counted || counted.tryCount <= max) return;
  log.warn({ tries: counted.tryCount }, "somebody tries too often to get in");
  const seconds = Math.max(1, Math.ceil((counted.endsAt.getTime() - now.getTime()) / secondMs));
  throw new ComeBackLater("too many tries: wait a while, then try again", seconds);
}
