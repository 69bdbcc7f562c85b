// The seam for what features keep: it ends with a workspace, a membership or a review, or when its time is over.
import type { Database, DatabaseTransaction } from "../database/database.ts";

export type Ending = {
  /** In the transaction that removes a workspace. */
  withWorkspace?(tx: DatabaseTransaction, scope: { workspaceId: string }): Promise<void>;
  /** In the transaction in which a member leaves. */
  withMember?(tx: DatabaseTransaction, member: Membership): Promise<void>;
  /** In the transaction in which a member leaves, or becomes a viewer. Returns the names of links that end. */
  withSecrets?(tx: DatabaseTransaction, member: Membership): Promise<string[]>;
  /** In the transaction that erases a review in all workspaces. */
  withReview?(tx: DatabaseTransaction, reviewId: string): Promise<void>;
  /** Every hour. */
  withTime?(database: Database, now: Date): Promise<void>;
};

type Membership = { workspaceId: string; userId: string };

/** A table: features add theirs. */
export const endings: Ending[] = [];

/** When a member leaves, or becomes a viewer. Returns the names of links that end. */
export async function endSecrets(tx: DatabaseTransaction, member: Membership): Promise<string[]> {
  const names: string[] = [];
  for (const { withSecrets } of endings) names.push(...((await withSecrets?.(tx, member)) ?? []));
  return names;
}
