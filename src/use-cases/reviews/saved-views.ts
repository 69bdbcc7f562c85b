// Views of reviews that a workspace keeps: search parameters of the Reviews page under a name.
import type { Database } from "../../database/database.ts";
import { AppError } from "../../domain/error.ts";
import { reviewWorkLimits } from "../../domain/review-work.ts";
import { failField, notFound } from "../../domain/validation-errors.ts";
import type { Clock } from "../../lib/clock.ts";
import { uuidV7 } from "../../lib/uuid.ts";
import { recordAudit } from "../audit.ts";

type ViewDeps = { clock: Clock; database: Pick<Database, "transaction">; actor: string };

/** @throws AppError `conflict` when the workspace has as many as it can */
export async function keepView(
  deps: ViewDeps,
  view: { workspaceId: string; name: string; query: string },
): Promise<void> {
  const createdAt = deps.clock.now();
  const id = uuidV7(createdAt);
  const { workspaceId, name } = view;
  const { viewsMax: countMax } = reviewWorkLimits;
  await deps.database.transaction(async (tx) => {
    // The statement counts before it inserts: two at once would both see room for one more.
    await tx.lockWorkspace(workspaceId);
    if (!(await tx.saveView({ ...view, id, createdAt, countMax }))) {
      throw new AppError("conflict", `a workspace can have ${countMax} views`);
    }
    const entry = { action: "view.saved", subject: id, workspaceId, detail: { name } };
    await recordAudit(deps, tx, entry);
  });
}

/** @throws AppError `not_found`, or `invalid_input` for the name of another view */
export async function changeView(
  deps: ViewDeps,
  view: { workspaceId: string; id: string; name: string; query: string },
): Promise<void> {
  const { workspaceId, id, name } = view;
  await deps.database.transaction(async (tx) => {
    // Another view could get the name between the check and the change.
    await tx.lockWorkspace(workspaceId);
    const views = await tx.listSavedViews(workspaceId);
    if (views.some((other) => other.name === name && other.id !== id))
      failField("name", "is the name of another view");
    if (!(await tx.updateSavedView(view))) throw notFound("view", id);
    await recordAudit(deps, tx, {
      ...{ action: "view.saved", subject: id, workspaceId, detail: { name } },
    });
  });
}

/** @throws AppError `not_found` */
export async function removeView(
  deps: ViewDeps,
  view: { workspaceId: string; id: string },
): Promise<void> {
  const { workspaceId, id } = view;
  await deps.database.transaction(async (tx) => {
    if (!(await tx.deleteSavedView(view))) throw notFound("view", id);
    await recordAudit(deps, tx, { action: "view.removed", subject: id, workspaceId });
  });
}
