// A forgotten password: a link by e-mail that sets a new one. Nothing is stored for it: the link is signed over the
// password's hash, so it ends when the password changes, and after an hour.
import type { Database } from "../../database/database.ts";
import { AppError } from "../../domain/error.ts";
import { systemActor } from "../../domain/people/audit.ts";
import type { User } from "../../domain/people/user.ts";
import { emailSchema, normalizeEmail, passwordSchema } from "../../domain/people/user-input.ts";
import { parseField } from "../../domain/validation-errors.ts";
import type { Clock } from "../../lib/clock.ts";
import { isEqualText, signText } from "../../lib/signed-text.ts";
import { hourMs } from "../../lib/timestamp.ts";
import { isUuid } from "../../lib/uuid.ts";
import { recordAudit } from "../audit.ts";
import type { ServiceMail } from "../service-mail.ts";
import { hashPassword } from "./password-hash.ts";
import { changePasswordHash } from "./users.ts";

const linkMs = hourMs;

type ResetDeps = {
  clock: Clock;
  database: Pick<Database, "findUser" | "findUserByEmail" | "insertAuditEntry" | "transaction">;
  /** Signs links: the same for all processes and after restarts. */
  signingKey: Buffer;
};

/** The e-mail with the link; null when the address has no account. */
export async function createResetMail(
  deps: ResetDeps,
  input: { email: string; publicUrl: string; address: string },
): Promise<ServiceMail | null> {
  const email = normalizeEmail(input.email);
  const isEmail = emailSchema.safeParse(email).success;
  const user = isEmail ? await deps.database.findUserByEmail(email) : null;
  if (!user) return null;
  const by = { ...deps, actor: systemActor };
  const { address } = input;
  await recordAudit(by, deps.database, "user.password_link_sent", user.id, { address });
  const endsAtMs = deps.clock.now().getTime() + linkMs;
  const token = `${user.id}.${endsAtMs}.${sign(deps.signingKey, { user, endsAtMs })}`;
  return {
    to: user.email,
    subject: "Set a new password for Starpost",
    paragraphs: [
      "Somebody, probably you, asked for a new password for this address.",
      "The link works for an hour. It sets a new password, or lets one browser sign in with the old one while sign-in is refused because of too many tries.",
      "Without it nothing changes: if it wasn't you, ignore this e-mail.",
    ],
    // In the fragment: browsers send it neither to servers nor as a referrer.
    link: { label: "Set a new password", url: `${input.publicUrl}/reset#${token}` },
  };
}

/**
 * Ends every session of the user. A second factor stays.
 *
 * @throws AppError `not_found` when the link was used or has ended, or `invalid_input` for the password
 */
export async function resetPassword(
  deps: ResetDeps,
  input: { token: string; password: string },
): Promise<{ email: string }> {
  const user = await requireUserOfToken(deps, input.token);
  parseField(passwordSchema(user), { field: "password", value: input.password });
  const passwordHash = await hashPassword(input.password);
  const by = { ...deps, actor: user.id };
  await deps.database.transaction(async (tx) => {
    // When two people follow the link at the same moment, the second one finds another hash.
    if ((await tx.lockPasswordHash(user.id)) !== user.passwordHash) throw linkEnded();
    await changePasswordHash(by, tx, { userId: user.id, passwordHash });
    await tx.confirmEmail({ id: user.id, now: deps.clock.now() });
  });
  return { email: user.email };
}

/**
 * The account of a link that is not used up by this: for a browser that shall sign in with the password as it is.
 *
 * @throws AppError `not_found` when the link was used or has ended
 */
export async function letBrowserIn(
  deps: ResetDeps,
  input: { token: string; address: string },
): Promise<{ email: string }> {
  const { id, email } = await requireUserOfToken(deps, input.token);
  const { address } = input;
  await deps.database.transaction(async (tx) => {
    await tx.confirmEmail({ id, now: deps.clock.now() });
    await recordAudit({ ...deps, actor: id }, tx, "user.browser_let_in", id, { address });
  });
  return { email };
}

function linkEnded(): AppError {
  return new AppError("not_found", "this link was used, or has ended: ask for a new one");
}

type UserWithHash = User & { passwordHash: string };

async function requireUserOfToken(deps: ResetDeps, token: string): Promise<UserWithHash> {
  const [id = "", endsAt = "", signature = ""] = token.split(".");
  const endsAtMs = Number(endsAt);
  if (!isUuid(id) || !(endsAtMs > deps.clock.now().getTime())) throw linkEnded();
  const found = await deps.database.findUser(id);
  const user = found && (await deps.database.findUserByEmail(found.email));
  if (!user || !isEqualText(signature, sign(deps.signingKey, { user, endsAtMs })))
    throw linkEnded();
  return user;
}

function sign(key: Buffer, link: { user: UserWithHash; endsAtMs: number }): string {
  const { id, passwordHash } = link.user;
  return signText(key, `password reset ${id} ${link.endsAtMs} ${passwordHash}`);
}
