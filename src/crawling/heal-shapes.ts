// Heals a feed whose page could not be read, or lost a field: compares its payload with what is stored of the app. A shape that
// explains it in two feeds is tried in the shadow, then used, and withdrawn when a page contradicts it. docs/shapes.md
import type { Database } from "../database/database.ts";
import type { FeedKind } from "../domain/feed.ts";
import type { HealMode, LearnedShape } from "../domain/learned-shape.ts";
import type { Listing } from "../domain/listing.ts";
import { type Review, reviewIdOf, reviewLimits } from "../domain/review.ts";
import type { StoreId } from "../domain/store-id.ts";
import type { Clock } from "../lib/clock.ts";
import type { Log } from "../lib/log.ts";
import { dayOf, minuteMs } from "../lib/timestamp.ts";
import { type ActiveShapes, parseShape } from "../stores/shapes/active-shapes.ts";
import {
  type KnownApp,
  knownApp,
  knownReview,
  learnableShapes,
  type ShapeName,
  shapesOfStores,
} from "../stores/shapes/known-values.ts";
import {
  explains,
  type KnownItem,
  learnShape,
  leavesOf,
  type Sample,
} from "../stores/shapes/learn-shape.ts";

type HealDeps = Pick<
  Database,
  | "listLearnedShapes"
  | "saveLearnedShape"
  | "loadReviews"
  | "findListingDetails"
  | "listSnapshotsAsOf"
> & { clock: Clock; log: Log; mode: HealMode; shapes: ActiveShapes };

type ReadFeed = {
  listing: Pick<Listing, "id" | "store" | "externalAppId">;
  region: string;
  kind: FeedKind;
  /** The known values of an app that is not followed. */
  app?: KnownApp | null;
};

export type Healer = {
  /** Reads the shapes that all processes use. */
  refresh(): Promise<void>;
  /** After a crawl. One of reviews in order says nothing, unless a learned shape is being tried. */
  heal(feed: ReadFeed & { isInOrder: boolean }): Promise<void>;
};

const shadowRounds = 2;
/** From different feeds. */
const sampleCountMax = 6;

export function openHealer(deps: HealDeps): Healer {
  const { clock, shapes } = deps;
  const samples = new Map<ShapeName, readonly Sample[]>();
  let refreshedAt = new Date(0);
  return {
    async refresh() {
      const now = clock.now();
      if (now.getTime() - refreshedAt.getTime() < minuteMs) return;
      refreshedAt = now;
      const learned = await deps.listLearnedShapes();
      shapes.use(learned);
      for (const { shape, ...row } of learned) {
        if (row.state === "withdrawn" || parseShape(shape) !== null) continue;
        const reason = "this release has another version of it";
        const actor = "service";
        await deps.saveLearnedShape({
          ...row,
          shape,
          state: "withdrawn",
          reason,
          since: now,
          actor,
        });
      }
    },
    async heal({ isInOrder, ...feed }) {
      const { listing, region, kind } = feed;
      const name = shapesOfStores[listing.store][kind];
      if (deps.mode === "off" || (isInOrder && !shapes.isTried(name))) return;
      const payload = shapes.takePayload(name, { ...listing, region });
      if (payload === undefined) return;
      const key = `${listing.id} ${region}`;
      const sample = { feed: key, payload, known: await findKnown(deps, feed, payload) };
      if (sample.known.size === 0) return;
      const row = (await deps.listLearnedShapes()).find((one) => one.name === name);
      const open = row && row.state !== "withdrawn" ? row : null;
      const others = (samples.get(name) ?? []).filter((one) => one.feed !== key);
      const recent = [...others, sample].slice(-sampleCountMax);
      const next = open ? judge(deps, open, sample) : learn(deps, name, recent);
      samples.set(name, open ? [] : recent);
      if (!next) return;
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
  feed: ReadFeed,
  payload: unknown,
): Promise<ReadonlyMap<string, KnownItem>> {
  const { listing, kind } = feed;
  if (kind === "reviews") {
    const ids = leavesOf(payload).flatMap(({ value }) =>
      typeof value === "string" && value.length <= reviewLimits.storeReviewIdMax
        ? [reviewIdOf({ ...listing, storeReviewId: value })]
        : [],
    );
    const stored = await deps.loadReviews({ listingId: listing.id, ids: [...new Set(ids)] });
    return new Map(knownReviews(listing.store, stored));
  }
  const app = feed.app === undefined ? await findKnownApp(deps, feed) : feed.app;
  if (!app?.ratings?.total) return new Map();
  return new Map([[app.externalAppId, knownApp(listing.store, app)]]);
}

/** Reviews that were saved since a field was lost say nothing of it. */
function knownReviews(store: StoreId, stored: readonly Review[]): [string, KnownItem][] {
  const lastAt = (["author", "title", "version"] as const).map((name) => {
    const times = stored.map((one) => (one[name] ? one.firstSeenAt.getTime() : 0));
    return [name, Math.max(0, ...times)] as const;
  });
  return stored.map((review) => {
    const isLost = (field: string): boolean =>
      lastAt.some(
        ([name, last]) => name === field && !review[name] && review.firstSeenAt.getTime() > last,
      );
    const fields = Object.entries(knownReview(store, review));
    return [review.storeReviewId, Object.fromEntries(fields.filter(([name]) => !isLost(name)))];
  });
}

async function findKnownApp(
  deps: HealDeps,
  { listing, region }: ReadFeed,
): Promise<KnownApp | null> {
  const { id: listingId, externalAppId } = listing;
  const details = await deps.findListingDetails(listingId);
  const day = dayOf(deps.clock.now());
  const snapshots = await deps.listSnapshotsAsOf({ listingId, day, withHistogram: true });
  const ratings = snapshots.find((snapshot) => snapshot.region === region) ?? null;
  return details && { externalAppId, ...details, ratings };
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
  const items = learning.isSingle ? "apps" : "reviews";
  const reason = `it explains ${found.itemCount} known ${items} of ${found.feedCount} feeds`;
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
