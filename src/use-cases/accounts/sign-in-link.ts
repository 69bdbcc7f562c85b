// Links that sign one user in, once and for a few minutes: an operator makes them for people who have no other way in, and
// the service for a sign-in through a provider that still needs a code. A second factor is asked for as always.
import type { Database } from "../../database/database.ts";
import { AppError } from "../../domain/error.ts";
import type { User } from "../../domain/people/user.ts";
import type { Clock } from "../../lib/clock.ts";
import { minuteMs } from "../../lib/timestamp.ts";
import { recordAudit } from "../audit.ts";
import { generateToken, hashToken } from "./link-token.ts";
import { requireUser } from "./users.ts";

const linkMs = 15 * minuteMs;

type LinkDeps = { clock: Clock; database: Database };

/** @param input.isFromProvider its session is as short as those of the provider */
export async function insertSignInLink(
  { clock, database }: LinkDeps,
  input: { userId: string; isFromProvider: boolean },
): Promise<{ token: string; endsAt: Date }> {
  const { token, tokenHash } = generateToken();
  const endsAt = new Date(clock.now().getTime() + linkMs);
  await database.insertSignInLink({ ...input, tokenHash, endsAt });
  return { token, endsAt };
}

/**
 * For operators.
 *
 * @throws AppError `not_found`
 */
export async function createSignInLink(
  deps: LinkDeps & { actor: string },
  input: { email: string; baseUrl: string },
): Promise<{ email: string; link: string; endsAt: Date }> {
  const { id: userId, email } = await requireUser(deps.database, input.email);
  const { token, endsAt } = await insertSignInLink(deps, { userId, isFromProvider: false });
  await recordAudit(deps, deps.database, "user.sign_in_link_created", userId);
  return { email, link: `${input.baseUrl}/sign-in-link#${token}`, endsAt };
}

/** @throws AppError `not_found` when it was used or has ended */
export async function requireSignInLink(
  { clock, database }: LinkDeps,
  token: string,
): Promise<{ user: User; isFromProvider: boolean }> {
  const link = await database.findSignInLink({ tokenHash: hashToken(token), now: clock.now() });
  const user = link && (await database.findUser(link.userId));
  if (!link || !user) throw linkEnded();
  return { user, isFromProvider: link.isFromProvider };
}

/**
 * One of two requests with the same link gets through.
 *
 * @throws AppError `not_found`
 */
export async function useSignInLink({ database }: LinkDeps, token: string): Promise<void> {
  if (!(await database.deleteSignInLink({ tokenHash: hashToken(token) }))) throw linkEnded();
}

function linkEnded(): AppError {
  return new AppError("not_found", "this link was used, or has ended: sign in again");
}
