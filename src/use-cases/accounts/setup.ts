// The first user of an installation: through a one-time link from the log, or from two settings.
import type { Database } from "../../database/database.ts";
import { AppError } from "../../domain/error.ts";
import { nameSchema } from "../../domain/fields.ts";
import { parseUserInput, type UserInput } from "../../domain/people/user-input.ts";
import type { Plan } from "../../domain/people/workspace.ts";
import { parseField } from "../../domain/validation-errors.ts";
import type { Clock } from "../../lib/clock.ts";
import { dayMs } from "../../lib/timestamp.ts";
import { uuidV7 } from "../../lib/uuid.ts";
import { recordAudit } from "../audit.ts";
import { generateToken, hashToken } from "./link-token.ts";
import { hashPassword } from "./password-hash.ts";
import { addMember, insertUser, nameFromEmail } from "./users.ts";

const linkMs = 7 * dayMs;

type SetupDeps = { clock: Clock; database: Database; defaultPlan: Plan };

/** null when an account exists already. Earlier links stay valid until one of them is used. */
export async function createSetupLink(deps: SetupDeps): Promise<{ token: string } | null> {
  if (await deps.database.hasUsers()) return null;
  const { token, tokenHash } = generateToken();
  const endsAt = new Date(deps.clock.now().getTime() + linkMs);
  await deps.database.insertSetupLink({ tokenHash, endsAt });
  return { token };
}

export async function findSetup(
  { clock, database }: SetupDeps,
  token: string,
): Promise<{ isOpen: boolean; workspaceNames: string[] }> {
  const link = { tokenHash: hashToken(token), now: clock.now() };
  const isOpen = (await database.isSetupLinkOpen(link)) && !(await database.hasUsers());
  const unclaimed = isOpen ? await database.listUnclaimedWorkspaces() : [];
  return { isOpen, workspaceNames: unclaimed.map(({ name }) => name) };
}

/**
 * Creates the first user, who owns every workspace that the operator made before, else a new one.
 *
 * @param input.token null for an operator, who needs no link
 * @throws AppError `not_found` when the link was used or another user was first, `invalid_input`
 */
export async function completeSetup(
  deps: SetupDeps,
  input: UserInput & { token: string | null; workspaceName: string | null },
): Promise<{ userId: string }> {
  const { clock, database } = deps;
  const { token } = input;
  if (token !== null && !(await findSetup(deps, token)).isOpen) throw setupLinkUsed();
  const { password, ...user } = parseUserInput(input);
  const passwordHash = await hashPassword(password);
  return database.transaction(async (tx) => {
    await tx.lockSetup();
    const link = token === null ? null : { tokenHash: hashToken(token), now: clock.now() };
    const isAllowed = link === null || (await tx.isSetupLinkOpen(link));
    if (!isAllowed || (await tx.hasUsers())) throw setupLinkUsed();
    const userId = await insertUser(deps, tx, { ...user, passwordHash, isConfirmed: true });
    const by = { clock, actor: userId };
    const unclaimed = (await tx.listUnclaimedWorkspaces()).map(({ id }) => id);
    const workspaceIds =
      unclaimed.length > 0 ? unclaimed : [await insertWorkspace(deps, tx, input)];
    for (const workspaceId of workspaceIds) {
      await addMember(by, tx, { workspaceId, userId, role: "owner" });
    }
    await tx.deleteSetupLinks();
    const source = link === null ? "settings" : "link";
    await recordAudit(by, tx, "setup.claimed", userId, { by: source, workspaceIds });
    return { userId };
  });
}

/**
 * The same without a link: for an operator who names the first user in the settings.
 *
 * @throws AppError `invalid_input`
 */
export async function completeSetupFromSettings(
  deps: SetupDeps,
  input: { email: string; password: string },
): Promise<void> {
  if (await deps.database.hasUsers()) return;
  const name = nameFromEmail(input.email.toLowerCase());
  try {
    await completeSetup(deps, { ...input, name, token: null, workspaceName: null });
  } catch (error) {
    // Another process that starts at the same moment was first with the same user.
    if (!(await deps.database.hasUsers())) throw error;
  }
}

async function insertWorkspace(
  { clock, defaultPlan }: SetupDeps,
  tx: Pick<Database, "insertWorkspace">,
  input: { workspaceName: string | null; name: string },
): Promise<string> {
  const value = input.workspaceName ?? `${input.name}'s workspace`;
  const name = parseField(nameSchema(), { field: "workspaceName", value });
  const createdAt = clock.now();
  const id = uuidV7(createdAt);
  await tx.insertWorkspace({ id, name, plan: defaultPlan, createdAt });
  return id;
}

function setupLinkUsed(): AppError {
  return new AppError("not_found", "this set-up link was used already, or has ended");
}
