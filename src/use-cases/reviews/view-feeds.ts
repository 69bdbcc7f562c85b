// Feeds of saved views: a secret link is made, replaced and ended.
import type { Database, DatabaseTransaction } from "../../database/database.ts";
import type { FoundFeed } from "../../database/reviews/saved-views.ts";
import { notFound } from "../../domain/validation-errors.ts";
import type { Clock } from "../../lib/clock.ts";
import { dayMs, hourMs } from "../../lib/timestamp.ts";
import { recordAudit } from "../audit.ts";
import { generateToken, hashToken } from "../members/link-token.ts";

type FeedDeps = { clock: Clock; database: Pick<Database, "transaction">; actor: string };
type ViewQuery = { workspaceId: string; id: string };

/** A link ends unless it is renewed. */
const feedMs = 365 * dayMs;
/** How precisely the last use is known. */
const useMs = hourMs;

/**
 * The link's secret, which is shown this once; a link from before ends. It reads what the view shows now, also when the
 * view changes.
 *
 * @throws AppError `not_found`
 */
export async function openViewFeed(deps: FeedDeps, view: ViewQuery): Promise<{ token: string }> {
  const { token, tokenHash } = generateToken();
  const madeAt = deps.clock.now();
  const endsAt = new Date(madeAt.getTime() + feedMs);
  const feed = { ...view, tokenHash, madeBy: deps.actor, madeAt, endsAt };
  await changeFeed(deps, {
    view,
    action: "view.feed_opened",
    change: (tx) => tx.openViewFeed(feed),
  });
  return { token };
}

/** @throws AppError `not_found` */
export async function endViewFeed(deps: FeedDeps, view: ViewQuery): Promise<void> {
  await changeFeed(deps, {
    view,
    action: "view.feed_ended",
    change: async (tx) => (await tx.endViewFeeds(view)) === 1,
  });
}

async function changeFeed(
  deps: FeedDeps,
  {
    view,
    action,
    change,
  }: {
    view: ViewQuery;
    action: string;
    change: (tx: DatabaseTransaction) => Promise<boolean>;
  },
): Promise<void> {
  const { workspaceId, id } = view;
  await deps.database.transaction(async (tx) => {
    if (!(await change(tx))) throw notFound("view", id);
    await recordAudit(deps, tx, { action, subject: id, workspaceId });
  });
}

/** null for a link that is none, or not any more. */
export async function findViewOfFeed(
  { clock, database }: { clock: Clock; database: Pick<Database, "findViewByFeed" | "noteFeedUse"> },
  token: string,
): Promise<FoundFeed | null> {
  const now = clock.now();
  const view = await database.findViewByFeed({ tokenHash: hashToken(token), now });
  if (view) {
    const notSince = new Date(now.getTime() - useMs);
    await database.noteFeedUse({ id: view.id, now, notSince });
  }
  return view;
}
