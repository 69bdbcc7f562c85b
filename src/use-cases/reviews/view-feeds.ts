// Feeds of saved views: a secret link is made, replaced and ended.
import type { Database } from "../../database/database.ts";
import { notFound } from "../../domain/validation-errors.ts";
import type { Clock } from "../../lib/clock.ts";
import { recordAudit } from "../audit.ts";
import { generateToken, hashToken } from "../members/link-token.ts";

type FeedDeps = { clock: Clock; database: Pick<Database, "transaction">; actor: string };
type ViewQuery = { workspaceId: string; id: string };

/**
 * The link's secret, which is shown this once; a link from before ends.
 *
 * @throws AppError `not_found`
 */
export async function openViewFeed(deps: FeedDeps, view: ViewQuery): Promise<{ token: string }> {
  const { token, tokenHash } = generateToken();
  await setFeed(deps, { ...view, tokenHash, action: "view.feed_opened" });
  return { token };
}

/** @throws AppError `not_found` */
export async function endViewFeed(deps: FeedDeps, view: ViewQuery): Promise<void> {
  await setFeed(deps, { ...view, tokenHash: null, action: "view.feed_ended" });
}

async function setFeed(
  deps: FeedDeps,
  change: ViewQuery & { tokenHash: Buffer | null; action: string },
): Promise<void> {
  const { workspaceId, id, tokenHash, action } = change;
  await deps.database.transaction(async (tx) => {
    if (!(await tx.setViewFeed({ workspaceId, id, tokenHash }))) throw notFound("view", id);
    await recordAudit(deps, tx, { action, subject: id, workspaceId });
  });
}

/** null for a link that is none, or not any more. */
export function findViewOfFeed(database: Pick<Database, "findViewByFeed">, token: string) {
  return database.findViewByFeed(hashToken(token));
}
