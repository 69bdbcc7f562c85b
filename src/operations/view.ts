// Views of reviews that a workspace keeps: search parameters of the Reviews page under a name. Channels can follow a view:
// its filters are theirs.
import { z } from "zod";
import { AppError } from "../domain/error.ts";
import {
  newViewSchema,
  type SavedView,
  savedViewSchema,
  viewLimits,
} from "../domain/review/saved-view.ts";
import { failField } from "../domain/validation-errors.ts";
import { uuidV7 } from "../lib/uuid.ts";
import { assertChannelCanHave, assertTopicsExist } from "../use-cases/channels/check-channel.ts";
import { action, creation, defineNoun, type OperationContext, readSaved } from "./operation.ts";

const viewNoun = defineNoun<SavedView>({
  noun: "view",
  plural: "views",
  path: "views",
  find: (database, ref) => database.findSavedView(ref),
  list: (database, workspaceId) => database.listSavedViews(workspaceId),
  toView: ({ id, name, query }) => ({ id, name, query }),
  viewSchema: z
    .object({ id: z.string().describe("Identifier of the view."), ...savedViewSchema.shape })
    .meta({ id: "ManagedView" }),
});

const { viewsMax: countMax } = viewLimits;

/** A view of the same name is replaced. */
export const createView = creation(viewNoun, {
  verb: "create",
  summary: "Create a view",
  description: "A view of the same name is replaced; the status is then 200.",
  role: "member",
  scope: "manage",
  audit: "view.saved",
  schema: newViewSchema,
  async run(context, { input }) {
    const { tx, workspaceId, now } = context;
    const { name, query } = input;
    const views = await tx.listSavedViews(workspaceId);
    const replaced = views.find((one) => one.name === name);
    const id = replaced?.id ?? input.id ?? uuidV7(now);
    if (!replaced && (await tx.findSavedView({ id, workspaceId: null })))
      failField("id", "is the id of another view");
    await tx.saveView({ id, workspaceId, name, query, createdAt: now });
    updateFollowers(context, { id, query });
    context.finally("count of views", async () => {
      if ((await tx.listSavedViews(workspaceId)).length > countMax)
        throw new AppError("conflict", `a workspace can have ${countMax} views`);
    });
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
  async run(context, { before, input }) {
    const { tx, workspaceId, now } = context;
    const { id } = before;
    const { name = before.name, query = before.query } = input;
    const views = await tx.listSavedViews(workspaceId);
    if (views.some((other) => other.name === name && other.id !== id))
      failField("name", "is the name of another view");
    await tx.updateSavedView({ workspaceId, id, name, query, now });
    updateFollowers(context, { id, query });
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
 * Deliveries that wait for channels that follow the view in the end are compared with its new filters before they are sent.
 * Filters that a channel can't have are refused.
 */
function updateFollowers(
  { tx, workspaceId, now, ...context }: OperationContext,
  { id, query }: Pick<SavedView, "id" | "query">,
): void {
  context.finally(`followers of the view ${id}`, async () => {
    const followers = await tx.listChannelsOfView({ workspaceId, id });
    if (followers.length === 0) return;
    const { topic } = assertChannelCanHave("query", query);
    const topics = topic === undefined ? null : [topic];
    await assertTopicsExist(tx, { workspaceId, topics });
    for (const { id: channelId } of followers) await tx.cancelDeliveries({ channelId, now });
  });
}
