// Reads stored reviews for the topics that workspaces define themselves: after a topic is new or changed, and for
// every app that is new to it. Batch by batch, each committed with where it ended, so that any process goes on. Workspaces
// take turns: one with many reviews keeps the topics of others no longer than a batch.
import type { Database, DatabaseTransaction } from "../../database/database.ts";
import { saveOwnTopics } from "./find-topics.ts";
import type { OwnTopicScan } from "./sql.ts";
import * as statements from "./sql.ts";

// Small enough that ingest of the same listing hardly waits.
const batchSize = 500;

/** Returns how many reviews were read. Ends when nothing is left, or when `shouldContinue` says so. */
export async function applyOwnTopics(
  database: Pick<Database, "transaction" | "with">,
  /** Awaited after each batch. */
  shouldContinue: () => Promise<boolean>,
): Promise<number> {
  await database.with(statements).openOwnTopicScans();
  let readCount = 0;
  for (let afterWorkspaceId: string | null = null; ; ) {
    const scan: OwnTopicScan | null = await database
      .with(statements)
      .findOpenScan({ afterWorkspaceId });
    if (scan === null) return readCount;
    afterWorkspaceId = scan.workspaceId;
    readCount += await database.transaction((tx) => readBatch(tx, scan));
    if (!(await shouldContinue())) return readCount;
  }
}

/** Nothing where another process was faster, or where the app was removed. */
async function readBatch(tx: DatabaseTransaction, scan: OwnTopicScan): Promise<number> {
  const { appId, listingId, afterId } = scan;
  // As in ingest: what is new from now on is found there, what is older is read here.
  if (!(await tx.lockListing(listingId))) return 0;
  const topicsOf = tx.with(statements);
  const ofListing = await topicsOf.lockTopicsOfListing(listingId);
  const scans = await topicsOf.lockOwnTopicScans(scan);
  const topics = ofListing.filter(
    (topic) =>
      topic.appId === appId &&
      scans.some(({ topicId, revision }) => topicId === topic.id && revision === topic.revision),
  );
  if (topics.length === 0) return 0;
  const reviews = await tx.listReviewsById({ listingId, afterId, limit: batchSize });
  await saveOwnTopics(tx, { topics, reviews });
  await topicsOf.advanceOwnTopicScans({
    appId,
    topicIds: topics.map(({ id }) => id),
    lastId: reviews.at(-1)?.id ?? null,
    reviewCount: reviews.length,
    isFinished: reviews.length < batchSize,
  });
  return reviews.length;
}
