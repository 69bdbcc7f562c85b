// E-mail and password: one answer and one duration for whatever is wrong, and a throttle for each account
// and each address.
import type { Keep } from "../keep/keep.ts";
import type { Clock } from "../lib/clock.ts";
import type { Log } from "../lib/log.ts";
import { minuteMs, secondMs } from "../lib/timestamp.ts";
import { isPassword } from "../manage/password-hash.ts";
import { readEmail } from "../manage/person-choice.ts";
import { AppError } from "../reviews/error.ts";
import type { User } from "../reviews/person.ts";
import { ComeBackLater } from "./problem.ts";

/** The stretch that tries are counted in; it begins with the first. */
const stretchMs = 15 * minuteMs;

// An account from one address has few tries; from everywhere it has more, because otherwise anybody
// could lock anybody out with five requests.
const triesMax = { pair: 5, account: 30, address: 30 };

export type SignInRooms = { clock: Clock; keep: Keep; log: Log };

/** @throws AppError `unauthorized`, or ComeBackLater */
export async function checkSignIn(
  rooms: SignInRooms,
  given: { email: string; password: string; address: string },
): Promise<User> {
  const { email } = readEmail(given.email);
  const tries = await countTry(rooms, { email, address: given.address });
  const known = await rooms.keep.findUserByEmail(email);
  if (!(await isPassword(given.password, known?.passwordHash ?? null)) || !known) {
    // Without the address that was typed: people type passwords there.
    rooms.log.warn({ address: given.address, userId: known?.id ?? null }, "a sign-in was refused");
    throw new AppError("unauthorized", "e-mail or password is wrong");
  }
  await tries.forgive();
  rooms.log.info({ address: given.address, userId: known.id }, "somebody signed in");
  return known;
}

/** For what a signed-in person proves once more, and for links: counted by the address alone. */
export async function countLinkTry(
  rooms: SignInRooms,
  address: string,
): Promise<{ forgive(): Promise<void> }> {
  const key = `link ${address}`;
  await takeTries(rooms, [{ key, max: triesMax.address }]);
  return { forgive: () => rooms.keep.forgiveTries({ cleared: [], lessened: [key] }) };
}

async function countTry(
  rooms: SignInRooms,
  { email, address }: { email: string; address: string },
): Promise<{ forgive(): Promise<void> }> {
  const pair = `pair ${email} ${address}`;
  const account = `account ${email}`;
  const peer = `address ${address}`;
  await takeTries(rooms, [
    { key: pair, max: triesMax.pair },
    { key: account, max: triesMax.account },
    { key: peer, max: triesMax.address },
  ]);
  return {
    forgive: () => rooms.keep.forgiveTries({ cleared: [pair], lessened: [account, peer] }),
  };
}

async function takeTries(
  { clock, keep, log }: SignInRooms,
  wanted: readonly { key: string; max: number }[],
): Promise<void> {
  const now = clock.now();
  const endsAt = new Date(now.getTime() + stretchMs);
  const counted = await keep.countTries({ keys: wanted.map(({ key }) => key), now, endsAt });
  const spent = counted.filter(
    ({ key, tryCount }) => tryCount > (wanted.find((one) => one.key === key)?.max ?? 0),
  );
  if (spent.length === 0) return;
  log.warn({ tries: spent.map(({ tryCount }) => tryCount) }, "somebody tries too often to get in");
  const lastEndsMs = Math.max(...spent.map((one) => one.endsAt.getTime()));
  const seconds = Math.max(1, Math.ceil((lastEndsMs - now.getTime()) / secondMs));
  throw new ComeBackLater("too many tries: wait a while, then try again", seconds);
}
