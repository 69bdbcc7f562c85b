// The first person of an installation: through a one-time link from the log, or from two settings.
import type { Database } from "../../database/database.ts";
import { AppError } from "../../domain/error.ts";
import { failFields, nameLengthMax, readName } from "../../domain/validation-errors.ts";
import type { Plan } from "../../domain/workspace.ts";
import type { Clock } from "../../lib/clock.ts";
import { dayMs } from "../../lib/timestamp.ts";
import { uuidV7 } from "../../lib/uuid.ts";
import { hashToken, generateToken } from "./link-token.ts";
import { hashPassword } from "./password-hash.ts";
import { type UserInput, parseUserInput } from "./user-input.ts";
import { insertUser, addMember, nameFromEmail } from "./users.ts";

const linkMs = 7 * dayMs;

type Rooms = { clock: Clock; database: Database; defaultPlan: Plan };

/** null when somebody has an account already. Links of before go on working until one is used. */
export async function createSetupLink(deps: Rooms): Promise<{ token: string } | null> {
  if (await deps.database.hasUsers()) return null;
  const { token, tokenHash } = generateToken();
  const endsAt = new Date(deps.clock.now().getTime() + linkMs);
  await deps.database.insertSetupLink({ tokenHash, endsAt });
  return { token };
}

export async function findSetup(
  { clock, database }: Rooms,
  token: string,
): Promise<{ isOpen: boolean; workspaceNames: string[] }> {
  const tokenHash = hashToken(token);
  const isOpen =
    (await database.isSetupLinkOpen({ tokenHash, now: clock.now() })) && !(await database.hasUsers());
  const waiting = isOpen ? await database.listUnclaimedWorkspaces() : [];
  return { isOpen, workspaceNames: waiting.map(({ name }) => name) };
}

/** Whoever comes second, with whatever link, is told that the link was used. */
export async function completeSetup(
  deps: Rooms,
  given: UserInput & { token: string | null; workspaceName: string | null },
): Promise<{ userId: string }> {
  const { clock, database } = deps;
  const { token } = given;
  if (token !== null && !(await findSetup(deps, token)).isOpen) throw usedLink();
  const person = parseUserInput(given);
  const passwordHash = await hashPassword(person.password);
  return database.transaction(async (tx) => {
    await tx.lockSetup();
    const isLink =
      token === null || (await tx.isSetupLinkOpen({ tokenHash: hashToken(token), now: clock.now() }));
    if (!isLink || (await tx.hasUsers())) throw usedLink();
    const { id: userId } = await insertUser(deps, tx, { person, passwordHash });
    const waiting = await tx.listUnclaimedWorkspaces();
    // The first person is who set this up: what the operator made before is theirs.
    const ids = waiting.map(({ id }) => id);
    const workspaceIds = ids.length > 0 ? ids : [await makeWorkspace(deps, tx, given)];
    for (const workspaceId of workspaceIds) {
      await addMember({ clock, actor: userId }, tx, { workspaceId, userId, role: "owner" });
    }
    await tx.deleteSetupLinks();
    return { userId };
  });
}

/** The same without a link: for an operator who states the first person in the settings. */
export async function completeSetupFromSettings(
  deps: Rooms,
  given: { email: string; password: string },
): Promise<void> {
  if (await deps.database.hasUsers()) return;
  const name = nameFromEmail(given.email.toLowerCase());
  try {
    await completeSetup(deps, { ...given, name, token: null, workspaceName: null });
  } catch (error) {
    // Another process that starts at the same moment was first with the same person.
    if (!(await deps.database.hasUsers())) throw error;
  }
}

async function makeWorkspace(
  { clock, defaultPlan }: Rooms,
  tx: Pick<Database, "insertWorkspace">,
  given: { workspaceName: string | null; name: string },
): Promise<string> {
  const limits = { field: "workspaceName", lengthMax: nameLengthMax };
  const { name, faults } = readName(given.workspaceName ?? `${given.name}'s workspace`, limits);
  failFields(faults);
  const createdAt = clock.now();
  const id = uuidV7(createdAt);
  await tx.insertWorkspace({ id, name, plan: defaultPlan, createdAt });
  return id;
}

function usedLink(): AppError {
  return new AppError("not_found", "this set-up link was used already, or has ended");
}
