// Trains the weights of topics that people ticked reviews of, and keeps them only where they decide reviews better
// that they had not seen.
import { textUnitsMax } from "../analysis/normalized-text.ts";
import { findTickedRows } from "../analysis/own-topics.ts";
import { tickLimits, trainOnTicks } from "../analysis/tick-classifier.ts";
import type { Database } from "../database/database.ts";

/** Returns how many topics were trained. */
export async function trainOwnTopics(
  database: Pick<Database, "listTopicsToTrain" | "listTickedReviews" | "saveTopicTraining">,
): Promise<number> {
  const topics = await database.listTopicsToTrain();
  for (const { id, phrases, tickRevision } of topics) {
    const query = { topicId: id, unitsMax: textUnitsMax, limit: tickLimits.rowMax };
    const ticked = await database.listTickedReviews(query);
    const { rowCount, figures, weights } = trainOnTicks(findTickedRows(phrases, ticked));
    const training = { rowCount, figures, isInUse: weights !== null };
    await database.saveTopicTraining({ id, tickRevision, weights, training });
  }
  return topics.length;
}
