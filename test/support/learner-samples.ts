// Payloads with what is stored of them, for the learner of shapes alone: without crawls, judgement and a database.
import type { Review, SourceReview } from "../../src/domain/review/review.ts";
import { learnShape, type Sample } from "../../src/features/learned-shapes/learn-shape.ts";
import { parseRssJson } from "../../src/stores/apple/rss-request.ts";
import { parseReviewsPayload } from "../../src/stores/google/reviews-payload.ts";
import type { AppleFeedShape } from "../../src/stores/shapes/apple-shapes.ts";
import type { GoogleReviewsShape } from "../../src/stores/shapes/google-shapes.ts";
import {
  learnableShapes,
  type ShapedStore,
  shapesOfStores,
} from "../../src/stores/shapes/known-values.ts";
import type { Shape } from "../../src/stores/shapes/shape.ts";
import type { LayoutChange } from "./layout-change.ts";
import { changeBody } from "./layout-changes.ts";
import { type Json, simulatedPayloads } from "./moved-payloads.ts";

/** Payloads of several feeds of each store. */
export type LearnerWorld = Readonly<Record<ShapedStore, () => Json[]>>;

/** The newest eight reviews of each feed were written since the last crawl. */
const newCount = 8;

export function readPayload(store: ShapedStore, payload: Json, shape?: Shape): SourceReview[] {
  const page =
    store === "googleplay"
      ? parseReviewsPayload(payload, "en", shape as GoogleReviewsShape)
      : parseRssJson(JSON.stringify(payload), { region: "us" }, shape as AppleFeedShape);
  return page?.reviews ?? [];
}

export function samplesOf(
  store: ShapedStore,
  world: LearnerWorld,
  move: (payload: Json) => Json,
): Sample[] {
  return world[store]().map((payload, index) => {
    const stored = readPayload(store, payload).slice(newCount);
    const known = stored.map((review) => {
      const isDateAssumed = review.date === null;
      return shapesOfStores[store].knownReview({
        ...review,
        text: review.text ?? "",
        isDateAssumed,
      } as Review);
    });
    return {
      ...{ feed: String(index), payload: move(payload) },
      known: new Map(stored.map(({ storeReviewId }, at) => [storeReviewId, known[at] ?? {}])),
    };
  });
}

export function learn(store: ShapedStore, samples: readonly Sample[]): Shape | null {
  const { shape, learning } = learnableShapes[shapesOfStores[store].reviews];
  return learnShape(shape, learning, samples)?.shape ?? null;
}

/** Values that differ from the truth; an unknown one does not. */
export function wrongValues(
  found: readonly SourceReview[],
  truth: readonly SourceReview[],
): string[] {
  const byId = new Map(truth.map((review) => [review.storeReviewId, review]));
  return found.flatMap((review) => {
    const right = byId.get(review.storeReviewId);
    if (!right) return [`invented ${review.storeReviewId}`];
    return (Object.keys(right) as (keyof SourceReview)[]).flatMap((key) => {
      const isUnknown = review[key] === null || review[key] === "";
      const isWrong = JSON.stringify(review[key]) !== JSON.stringify(right[key]);
      return isWrong && !isUnknown ? [`${key} of ${review.storeReviewId}`] : [];
    });
  });
}

/** Whether the learner heals a change without the product around it: from two full pages, with no value wrong and no review lost. */
export function healsAlone(change: LayoutChange): boolean {
  const { store } = change;
  const payloads = simulatedPayloads[store]();
  const samples = samplesOf(store, simulatedPayloads, (payload) => changePayload(change, payload));
  const shape = learn(store, samples);
  return (
    shape !== null &&
    samples.every((sample, index) => {
      const truth = readPayload(store, payloads[index]);
      const found = readPayload(store, sample.payload, shape);
      return found.length === truth.length && wrongValues(found, truth).length === 0;
    })
  );
}

function changePayload(change: LayoutChange, payload: Json): Json {
  if (change.store === "appstore")
    return JSON.parse(changeBody(change, "/rss/customerreviews/json", JSON.stringify(payload)));
  const frames = JSON.stringify([["wrb.fr", "", JSON.stringify(payload)]]);
  const [[, , changed]] = JSON.parse(changeBody(change, "batchexecute", frames));
  return JSON.parse(changed);
}
