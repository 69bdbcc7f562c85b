// Heals a feed whose page could not be read: compares its payload with the stored reviews. A shape that explains the reviews of
// two feeds is tried in the shadow, then used, and withdrawn when a page contradicts it. docs/shapes.md
import type { FeedKind } from "../domain/feed.ts";
import type { HealMode, LearnedShape } from "../domain/learned-shape.ts";
import type { Listing } from "../domain/listing.ts";
import type { Review } from "../domain/review.ts";
import type { Snapshot } from "../domain/snapshot.ts";
import type { StoreId } from "../domain/store-id.ts";
import type { Clock } from "../lib/clock.ts";
import { parseJson } from "../lib/json.ts";
import type { Log } from "../lib/log.ts";
import { type Day, dayOf, minuteMs } from "../lib/timestamp.ts";
import { type ActiveShapes, parseShape } from "../stores/shapes/active-shapes.ts";
import {
  type KnownApp,
  knownAppleReview,
  knownGoogleApp,
  knownGoogleReview,
  learnableShapes,
  type ShapeName,
} from "../stores/shapes/known-values.ts";
import { explains, type KnownItem, learnShape, type Sample } from "../stores/shapes/learn-shape.ts";

export type HealDeps = {
  clock: Clock;
  log: Log;
  mode: HealMode;
  shapes: ActiveShapes;
  listLearnedShapes(): Promise<LearnedShape[]>;
  saveLearnedShape(learned: LearnedShape & { actor: string }): Promise<void>;
  listNewestReviews(query: { listingId: string; limit: number }): Promise<Review[]>;
  findListingDetails(id: string): Promise<Pick<KnownApp, "name" | "iconUrl" | "facts"> | null>;
  listSnapshotsAsOf(query: {
    listingId: string;
    day: Day;
    withHistogram: boolean;
  }): Promise<Snapshot[]>;
};

type UnreadFeed = { listing: Listing; region: string; kind: FeedKind };

export type Healer = {
  /** Reads the shapes that all processes use. */
  refresh(): Promise<void>;
  /** After a crawl that could not read its feed. */
  heal(feed: UnreadFeed): Promise<void>;
};

const shapeNames: Readonly<Record<StoreId, Readonly<Record<FeedKind, ShapeName | null>>>> = {
  // Ratings of the App Store are in three places, of which one is always read.
  appstore: { reviews: "apple-feed", ratings: null },
  googleplay: { reviews: "google-reviews", ratings: "google-app" },
};

/** Twice as many as the longest page has. */
const knownCountMax = 300;
const shadowRounds = 2;
/** From different feeds. */
const sampleCountMax = 6;

export function openHealer(deps: HealDeps): Healer {
  const { clock, shapes } = deps;
  const samples = new Map<ShapeName, Map<string, Sample>>();
  let refreshedAt = new Date(0);
  return {
    async refresh() {
      const now = clock.now();
      if (now.getTime() - refreshedAt.getTime() < minuteMs) return;
      refreshedAt = now;
      shapes.use(await deps.listLearnedShapes());
    },
    async heal(feed) {
      const { listing, region } = feed;
      const name = shapeNames[listing.store][feed.kind];
      if (name === null || deps.mode === "off") return;
      const noted = shapes.takePayload(name, { ...listing, region });
      const payload = typeof noted === "string" ? parseJson(noted) : noted;
      if ((payload ?? null) === null) return;
      const known = await findKnown(deps, feed);
      const sample = { feed: `${listing.id} ${region}`, payload, known };
      const learned = (await deps.listLearnedShapes()).find((one) => one.name === name);
      const open = learned && learned.state !== "withdrawn" ? learned : null;
      const ofShape = samples.get(name) ?? new Map<string, Sample>();
      samples.set(name, ofShape);
      const next = open ? judge(deps, open, sample) : learn(deps, name, collect(ofShape, sample));
      if (!next) return;
      if (next.state !== "shadow") ofShape.clear();
      await deps.saveLearnedShape({ ...next, actor: "service" });
      shapes.use(await deps.listLearnedShapes());
      const message = `${name}: a learned shape of the store's pages is ${next.state}`;
      deps.log.warn({ ...next }, message);
    },
  };
}

/** The stored items of a feed: its reviews by their ids, or its app. */
async function findKnown(
  deps: HealDeps,
  { listing, region, kind }: UnreadFeed,
): Promise<ReadonlyMap<string, KnownItem>> {
  const { id: listingId, externalAppId } = listing;
  if (kind === "reviews") {
    const stored = await deps.listNewestReviews({ listingId, limit: knownCountMax });
    const knownOf = listing.store === "appstore" ? knownAppleReview : knownGoogleReview;
    return new Map(stored.map((review) => [review.storeReviewId, knownOf(review)]));
  }
  const details = await deps.findListingDetails(listingId);
  const day = dayOf(deps.clock.now());
  const snapshots = await deps.listSnapshotsAsOf({ listingId, day, withHistogram: false });
  const ratings = snapshots.find((snapshot) => snapshot.region === region) ?? null;
  if (!details || !ratings || ratings.total === 0) return new Map();
  return new Map([[externalAppId, knownGoogleApp({ externalAppId, ...details, ratings })]]);
}

function collect(samples: Map<string, Sample>, sample: Sample): Sample[] {
  samples.delete(sample.feed);
  samples.set(sample.feed, sample);
  const [oldest] = samples.keys();
  if (samples.size > sampleCountMax && oldest !== undefined) samples.delete(oldest);
  return [...samples.values()].filter(({ known }) => known.size > 0);
}

/** null: nothing was learned. */
function learn(
  { clock }: HealDeps,
  name: ShapeName,
  samples: readonly Sample[],
): LearnedShape | null {
  const { shape, learning } = learnableShapes[name];
  const found = learnShape(shape, learning, samples);
  if (!found) return null;
  const reason = `it explains ${found.itemCount} known reviews of ${found.feedCount} feeds`;
  return { name, shape: found.shape, state: "shadow", roundCount: 0, reason, since: clock.now() };
}

/** null: the page says nothing of the shape. */
function judge(
  { clock, mode }: HealDeps,
  learned: LearnedShape,
  sample: Sample,
): LearnedShape | null {
  const shape = parseShape(learned.shape);
  const { learning } = learnableShapes[learned.name as ShapeName];
  const isRight = shape === null ? false : explains(shape, learning, sample);
  const now = clock.now();
  if (isRight === false) {
    const reason = `a page of ${sample.feed} contradicts it`;
    return { ...learned, state: "withdrawn", reason, since: now };
  }
  if (isRight === null || learned.state !== "shadow") return null;
  const roundCount = learned.roundCount + 1;
  if (roundCount < shadowRounds) return { ...learned, roundCount };
  return { ...learned, roundCount, state: mode === "on" ? "used" : "proposed", since: now };
}
