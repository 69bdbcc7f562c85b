// Trains the decision on each topic that no list of phrases can hold.
import type { DecisionRow } from "./decision-rows.ts";
import { roundWeight, trainDense } from "./dense-trainer.ts";
import type { ClassifiedTopic } from "./topic-rows.ts";

// Chosen on real reviews that neither weights nor decision had seen (docs/adr/0075-trained-decision-of-topics.md): praise and
// wishes are commoner in stores than in the gold, which is hard on purpose.
const probabilityMins: Readonly<Record<ClassifiedTopic, number>> = {
  bug: 0.4,
  feature_request: 0.4,
  praise: 0.35,
};

/** The weights of the signals: a sum above 0 has the topic. */
export function trainTopicDecision(rows: readonly DecisionRow[], topic: ClassifiedTopic): number[] {
  const [none = [], some = []] = trainDense(
    rows.map(({ topicSignals, topics }) => ({
      signals: topicSignals[topic],
      label: Number(topics.includes(topic)),
      weight: 1,
    })),
    { labelCount: 2, scaledCount: rows[0]?.topicSignals[topic].length ?? 0 },
  );
  const least = Math.log(probabilityMins[topic] / (1 - probabilityMins[topic]));
  return some.map((weight, at) => roundWeight(weight - (none[at] ?? 0) - (at === 0 ? least : 0)));
}
