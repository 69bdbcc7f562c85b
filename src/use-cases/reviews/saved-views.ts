// Views of reviews that a workspace keeps: search parameters of the Reviews page under a name. Channels can follow a view:
// its filters are theirs.
import type { DatabaseTransaction } from "../../database/database.ts";
import { AppError } from "../../domain/error.ts";
import { reviewWorkLimits } from "../../domain/review-work.ts";
import { failField, notFound } from "../../domain/validation-errors.ts";
import { uuidV7 } from "../../lib/uuid.ts";
import { type ActDeps, recordAudit } from "../audit.ts";
import { assertChannelCanHave } from "../channels/save-channel.ts";

type KeptView = { id: string; name: string; query: string };

/**
 * A view of the same name is replaced.
 *
 * @throws AppError `conflict` when the workspace has as many as it can
 */
export async function keepView(
  deps: ActDeps,
  view: { workspaceId: string; name: string; query: string },
): Promise<KeptView> {
  const createdAt = deps.clock.now();
  const id = uuidV7(createdAt);
  const { workspaceId, name, query } = view;
  const { viewsMax: countMax } = reviewWorkLimits;
  return deps.database.transaction(async (tx) => {
    // The statement counts before it inserts: two at once would both see room for one more.
    await tx.lockWorkspace(workspaceId);
    const views = await tx.listSavedViews(workspaceId);
    const replaced = views.find((one) => one.name === name);
    if (replaced) await updateFollowers(deps, tx, { ...view, id: replaced.id });
    if (!(await tx.saveView({ ...view, id, createdAt, countMax }))) {
      throw new AppError("conflict", `a workspace can have ${countMax} views`);
    }
    const kept = { id: replaced?.id ?? id, name, query };
    await recordAudit(deps, tx, "view.saved", { ...kept, workspaceId }, { name });
    return kept;
  });
}

/**
 * Fields that are left out stay as they are.
 *
 * @throws AppError `not_found`, or `invalid_input` for the name of another view
 */
export async function changeView(
  deps: ActDeps,
  change: {
    workspaceId: string;
    id: string;
    name?: string | undefined;
    query?: string | undefined;
  },
): Promise<KeptView> {
  const { workspaceId, id } = change;
  return deps.database.transaction(async (tx) => {
    // Another view could get the name between the check and the change.
    await tx.lockWorkspace(workspaceId);
    const views = await tx.listSavedViews(workspaceId);
    const before = views.find((one) => one.id === id);
    if (!before) throw notFound("view", id);
    const { name = before.name, query = before.query } = change;
    if (views.some((other) => other.name === name && other.id !== id))
      failField("name", "is the name of another view");
    await tx.updateSavedView({ workspaceId, id, name, query });
    await updateFollowers(deps, tx, { workspaceId, id, query });
    await recordAudit(deps, tx, "view.saved", change, { name });
    return { id, name, query };
  });
}

/**
 * Deliveries that wait for channels that follow the view are compared with its new filters before they are sent.
 *
 * @throws AppError `invalid_input` for filters that a channel can't have
 */
async function updateFollowers(
  { clock }: ActDeps,
  tx: DatabaseTransaction,
  view: { workspaceId: string; id: string; query: string },
): Promise<void> {
  const followers = await tx.listChannelsOfView(view);
  if (followers.length === 0) return;
  assertChannelCanHave("query", view.query);
  for (const { id: channelId } of followers) {
    await tx.cancelDeliveries({ channelId, now: clock.now() });
  }
}

/** @throws AppError `not_found`, or `conflict` while channels follow it */
export async function removeView(
  deps: ActDeps,
  view: { workspaceId: string; id: string },
): Promise<void> {
  await deps.database.transaction(async (tx) => {
    const followers = await tx.listChannelsOfView(view);
    if (followers.length > 0) {
      const names = followers.map(({ name }) => name).join(", ");
      throw new AppError("conflict", `channels follow this view: ${names}`);
    }
    if (!(await tx.deleteSavedView(view))) throw notFound("view", view.id);
    await recordAudit(deps, tx, "view.removed", view);
  });
}
