// Views of reviews that a workspace keeps: search parameters of the Reviews page under a name. Channels can follow a view:
// its filters are theirs.
import { z } from "zod";
import type { DatabaseTransaction } from "../database/database.ts";
import { AppError } from "../domain/error.ts";
import {
  newViewSchema,
  reviewWorkLimits,
  type SavedView,
  savedViewSchema,
} from "../domain/review-work.ts";
import { failField } from "../domain/validation-errors.ts";
import { uuidV7 } from "../lib/uuid.ts";
import { assertChannelCanHave, assertTopicsExist } from "../use-cases/channels/check-channel.ts";
import { action, creation, defineNoun, readSaved } from "./operation.ts";

const viewNoun = defineNoun<SavedView>({
  noun: "view",
  plural: "views",
  path: "views",
  find: (database, place) => database.findSavedView(place),
  list: (database, workspaceId) => database.listSavedViews(workspaceId),
  toView: ({ id, name, query }) => ({ id, name, query }),
  viewSchema: z
    .object({ id: z.string().describe("Identifier of the view."), ...savedViewSchema.shape })
    .meta({ id: "ManagedView" }),
});

const { viewsMax: countMax } = reviewWorkLimits;

/** A view of the same name is replaced. */
export const createView = creation(viewNoun, {
  verb: "create",
  summary: "Create a view",
  description: "A view of the same name is replaced; the status is then 200.",
  role: "member",
  scope: "manage",
  audit: "view.saved",
  schema: newViewSchema,
  async run({ tx, workspaceId, now }, { input }) {
    const { name, query } = input;
    const views = await tx.listSavedViews(workspaceId);
    const replaced = views.find((one) => one.name === name);
    if (replaced) await updateFollowers(tx, { workspaceId, id: replaced.id, query, now });
    const id = replaced?.id ?? input.id ?? uuidV7(now);
    if (!replaced && (await tx.findSavedView({ id, workspaceId: null })))
      failField("id", "is the id of another view");
    if (!(await tx.saveView({ id, workspaceId, name, query, createdAt: now, countMax })))
      throw new AppError("conflict", `a workspace can have ${countMax} views`);
    const result = await readSaved(viewNoun, tx, { id, workspaceId });
    return { result, id, detail: { name }, isReplacement: replaced !== undefined };
  },
});

export const changeView = action(viewNoun, {
  verb: "change",
  summary: "Change a view",
  description: "Fields that are left out stay as they are.",
  role: "member",
  scope: "manage",
  audit: "view.saved",
  schema: savedViewSchema.partial().meta({ id: "ViewChange" }),
  async run({ tx, workspaceId, now }, { before, input }) {
    const { id } = before;
    const { name = before.name, query = before.query } = input;
    const views = await tx.listSavedViews(workspaceId);
    if (views.some((other) => other.name === name && other.id !== id))
      failField("name", "is the name of another view");
    await tx.updateSavedView({ workspaceId, id, name, query, now });
    await updateFollowers(tx, { workspaceId, id, query, now });
    const result = await readSaved(viewNoun, tx, before);
    return { result, detail: {} };
  },
});

export const removeView = action(viewNoun, {
  verb: "delete",
  summary: "Delete a view",
  description: "One that a channel follows is not deleted.",
  role: "member",
  scope: "manage",
  audit: "view.removed",
  async run({ tx }, { before }) {
    const followers = await tx.listChannelsOfView(before);
    if (followers.length > 0) {
      const names = followers.map(({ name }) => name).join(", ");
      throw new AppError("conflict", `channels follow this view: ${names}`);
    }
    await tx.deleteSavedView(before);
    return { result: before, detail: {} };
  },
});

/**
 * Deliveries that wait for channels that follow the view are compared with its new filters before they are sent.
 *
 * @throws AppError `invalid_input` for filters that a channel can't have
 */
async function updateFollowers(
  tx: DatabaseTransaction,
  view: { workspaceId: string; id: string; query: string; now: Date },
): Promise<void> {
  const followers = await tx.listChannelsOfView(view);
  if (followers.length === 0) return;
  const { topic } = assertChannelCanHave("query", view.query);
  const topics = topic === undefined ? null : [topic];
  await assertTopicsExist(tx, { workspaceId: view.workspaceId, topics });
  for (const { id: channelId } of followers) {
    await tx.cancelDeliveries({ channelId, now: view.now });
  }
}
