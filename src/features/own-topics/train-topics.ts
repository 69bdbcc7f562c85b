// Trains the weights of topics that people ticked reviews of, and keeps them only where they decide reviews better
// that they had not seen.
import { textUnitsMax } from "../../analysis/normalized-text.ts";
import type { Database } from "../../database/database.ts";
import { forEachByOwner } from "../../lib/by-owner.ts";
import { secondMs } from "../../lib/timestamp.ts";
import { OverBudgetError, runApart } from "../../lib/work-pool.ts";
import { ownTopicsModule, trainOnTicked } from "./match-phrases.ts";
import * as statements from "./sql.ts";
import { type TickTraining, tickLimits } from "./tick-classifier.ts";

/** Returns how many topics were trained. */
export async function trainOwnTopics(database: Pick<Database, "with">): Promise<number> {
  const topicsOf = database.with(statements);
  const topics = await topicsOf.listTopicsToTrain();
  const workspaceOf = ({ workspaceId }: (typeof topics)[number]): string => workspaceId;
  await forEachByOwner(topics, workspaceOf, async (topic) => {
    const { id, workspaceId, phrases, tickRevision, memberCount } = topic;
    const query = { topicId: id, unitsMax: textUnitsMax, limit: tickLimits.rowMax };
    const all = await topicsOf.listTickedReviews(query);
    const ticked = memberCount > 1 ? limitEachMember(all) : all;
    const { rowCount, figures, weights } = await trainApart({ phrases, ticked, workspaceId });
    const training = { rowCount, figures, isInUse: weights !== null };
    await topicsOf.saveTopicTraining({ id, phrases, tickRevision, weights, training });
  });
  return topics.length;
}

/** Where several people can tick, one takes away at most as much as all others: nobody silences a topic alone. */
function limitEachMember<Ticked extends { isRight: boolean; userId: string | null }>(
  ticked: readonly Ticked[],
): Ticked[] {
  const wrong = ticked.filter(({ isRight }) => !isRight);
  return ticked.filter((tick) => {
    if (tick.isRight) return true;
    const own = wrong.filter(({ userId }) => userId === tick.userId);
    return own.indexOf(tick) < wrong.length - own.length;
  });
}

const busyMsMax = 10 * secondMs;

async function trainApart(input: {
  phrases: readonly string[];
  ticked: Parameters<typeof trainOnTicked>[1];
  workspaceId: string;
}): Promise<TickTraining> {
  const work = { module: ownTopicsModule, run: trainOnTicked };
  const budget = { busyMs: busyMsMax, owner: input.workspaceId };
  try {
    const trained = await runApart(work, [input.phrases, input.ticked], budget);
    return { ...trained, weights: trained.weights && Buffer.from(trained.weights) };
  } catch (error) {
    if (!(error instanceof OverBudgetError)) throw error;
    // The phrases alone decide until the next tick.
    return { rowCount: input.ticked.length, figures: null, weights: null };
  }
}
