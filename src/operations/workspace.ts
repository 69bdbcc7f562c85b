// A workspace: created by the operator or by an owner of another one, given a plan by the operator, renamed and deleted by
// its owners. A deletion takes channels with their pending deliveries, apps with the listings that no other workspace
// follows, credentials, keys and memberships; accounts of people stay, and so does the audit log.
import { z } from "zod";
import type { DatabaseTransaction } from "../database/database.ts";
import { AppError } from "../domain/error.ts";
import { nameSchema } from "../domain/fields.ts";
import {
  ownedWorkspacesMaxDefault,
  planSchema,
  type Workspace,
  workspaceInputSchema,
} from "../domain/people/workspace.ts";
import { hasSecondFactor } from "../use-cases/accounts/second-factor.ts";
import { endings } from "../use-cases/endings.ts";
import { deleteFirstRows, removeApp } from "./app.ts";
import { mailNotice } from "./notices.ts";
import {
  action,
  creation,
  defineNoun,
  type OperationContext,
  type OperationDeps,
  type Resource,
  readSaved,
} from "./operation.ts";

type WorkspaceResource = Workspace & Resource;

export const workspaceNoun = defineNoun<WorkspaceResource>({
  noun: "workspace",
  plural: "workspaces",
  path: "workspaces",
  async find(database, { id, workspaceId }) {
    const found = await database.findWorkspace(id);
    const isForeign = workspaceId !== null && workspaceId !== found?.id;
    return found && !isForeign ? { ...found, workspaceId: id } : null;
  },
  list: async (database, id) => {
    const found = await database.findWorkspace(id);
    return found ? [{ ...found, workspaceId: id }] : [];
  },
  toView: ({ id, name, plan, requiresSecondFactor }) => ({ id, name, plan, requiresSecondFactor }),
  viewSchema: null,
});

/**
 * It has the id that the frame gives. Two of one name take turns, as with a set-up that names it. A user who makes one owns
 * it.
 */
export const createWorkspace = creation(workspaceNoun, {
  verb: "create",
  summary: "Create a workspace",
  role: "owner",
  audit: "workspace.created",
  schema: z.strictObject(workspaceInputSchema.shape),
  async run({ deps, tx, actor, workspaceId: id, now }, { input }) {
    await tx.lockWorkspaceName(input.name);
    await tx.insertWorkspace({ id, ...input, createdAt: now });
    if (actor.kind === "user") await addFirstOwner(deps, tx, { id, userId: actor.user.id, now });
    const result = await readSaved(workspaceNoun, tx, { id, workspaceId: id });
    return { result, id, detail: input };
  },
});

/** @throws AppError `conflict` when the user owns as many as one person may */
async function addFirstOwner(
  { ownedWorkspacesMax = ownedWorkspacesMaxDefault }: Pick<OperationDeps, "ownedWorkspacesMax">,
  tx: DatabaseTransaction,
  { id, userId, now }: { id: string; userId: string; now: Date },
): Promise<void> {
  await tx.insertMember({ workspaceId: id, userId, role: "owner", joinedAt: now });
  // It locks the user: of two creations at the same moment the second counts the workspace of the first.
  await tx.setUserWorkspace({ id: userId, workspaceId: id });
  const owned = (await tx.listMemberships(userId)).filter(({ role }) => role === "owner");
  if (owned.length <= ownedWorkspacesMax) return;
  const message = `you own as many workspaces as one person may (OWNED_WORKSPACES_MAX is ${ownedWorkspacesMax}): ask the operator for another one`;
  throw new AppError("conflict", message);
}

export const changeWorkspace = action(workspaceNoun, {
  verb: "change",
  summary: "Change the name of a workspace, or whether it requires a second factor",
  role: "owner",
  audit: "workspace.updated",
  schema: z.strictObject({ name: nameSchema(), requiresSecondFactor: z.boolean() }).partial(),
  async run(context, { before, input }) {
    const { tx, now } = context;
    if (input.requiresSecondFactor !== undefined)
      await assertMayRequire(context, input.requiresSecondFactor);
    const { name = before.name, requiresSecondFactor = before.requiresSecondFactor } = input;
    await tx.updateWorkspace({ ...before, name, requiresSecondFactor, now });
    const result = await readSaved(workspaceNoun, tx, before);
    return { result, detail: {} };
  },
  async after(context, { input: { requiresSecondFactor } }) {
    if (requiresSecondFactor === undefined) return;
    const kind = requiresSecondFactor ? "required for all members" : "optional";
    mailNotice(context, `made a second factor ${kind}`);
  },
});

/** @throws AppError `conflict` when the owner, who would be locked out, has no second factor */
async function assertMayRequire({ tx, actor }: OperationContext, isRequired: boolean) {
  if (actor.kind !== "user") return;
  actor.assertRecentProof();
  if (isRequired && !(await hasSecondFactor({ database: tx }, actor.user.id)))
    throw new AppError("conflict", "set up your own second factor first");
}

/** Takes effect with the next request of the workspace's keys, in every process. */
export const setPlan = action(workspaceNoun, {
  verb: "set-plan",
  summary: "Change the plan of a workspace",
  role: null,
  audit: "workspace.plan_changed",
  schema: z.strictObject({ plan: planSchema }),
  async run({ tx, now }, { before, input: { plan } }) {
    await tx.updateWorkspace({ ...before, plan, now });
    const result = await readSaved(workspaceNoun, tx, before);
    return { result, detail: { plan } };
  },
});

export const removeWorkspace = action(workspaceNoun, {
  verb: "delete",
  summary: "Delete a workspace with everything in it",
  role: "owner",
  isSensitive: true,
  audit: "workspace.deleted",
  async run(context, { before }) {
    const { tx } = context;
    const { id, name } = before;
    const scope = { workspaceId: id };
    for (const { withWorkspace } of endings) await withWorkspace?.(tx, scope);
    const channels = await tx.listChannels(scope);
    for (const channel of channels) await tx.deleteChannel(channel.id);
    const apps = await tx.listApps(scope);
    // In one order, so that two deletions don't wait for each other's listings.
    const byListing = [...apps].sort((one, other) => (one.listingId < other.listingId ? -1 : 1));
    for (const app of byListing) await removeApp.run(context, { before: app });
    const members = await tx.listMembers(id);
    const addresses = members.filter(({ role }) => role === "owner").map(({ email }) => email);
    await tx.deleteWorkspace(id);
    const counts = { channelCount: channels.length, appCount: apps.length };
    const listingIds = apps.map(({ listingId }) => listingId);
    return { result: { id, name, ...counts, listingIds, addresses }, detail: counts };
  },
  async after(context, { result: { name, addresses, listingIds } }) {
    mailNotice(context, "deleted the workspace with everything in it", { name, addresses });
    for (const id of listingIds) await deleteFirstRows(context.deps.database, id);
  },
});
