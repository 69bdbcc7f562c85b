// Heals a feed whose page could not be read, or lost a field: compares its payload with what is stored of the app. A shape that
// explains it in two feeds is tried in the shadow, then used, and withdrawn when a page contradicts it. docs/shapes.md

import type { HealDeps, OpenHealer, ReadFeed } from "../../crawling/healer.ts";
import type { LearnedShape } from "../../domain/feed/learned-shape.ts";
import { systemActor } from "../../domain/people/audit.ts";
import { type Review, reviewIdOf, reviewLimits } from "../../domain/review/review.ts";
import type { StoreId } from "../../domain/store/store-id.ts";
import { dayOf, minuteMs } from "../../lib/timestamp.ts";
import { parseShape } from "../../stores/shapes/active-shapes.ts";
import type { KnownItem } from "../../stores/shapes/known-item.ts";
import {
  findShapes,
  type KnownApp,
  learnableShapes,
  type ShapeName,
} from "../../stores/shapes/known-values.ts";
import { contradicts, explains, learnShape, leavesOf, type Sample } from "./learn-shape.ts";

const shadowRounds = 2;
/** From different feeds. */
const sampleCountMax = 6;
/** As many feeds as teach a shape. */
const contradictingFeedsMin = 2;
const formerPages = "the store shows its former pages again";

export const openHealer: OpenHealer = (deps) => {
  const { clock, shapes } = deps;
  const samples = new Map<ShapeName, readonly Sample[]>();
  /** Feeds whose pages the learned shape does not explain. */
  const contradictions = new Map<ShapeName, Set<string>>();
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
        await deps.saveLearnedShape({
          ...row,
          shape,
          state: "withdrawn",
          reason: "this release has another version of it",
          since: now,
          actor: systemActor,
          replaces: { ...row, shape },
        });
      }
    },
    findSoleShape(store) {
      const name = findShapes(store)?.reviews;
      return name ? shapes.findSole(name, clock.now()) : null;
    },
    async heal({ isInOrder, readBy, ...feed }) {
      const { listing, region, kind } = feed;
      const name = findShapes(listing.store)?.[kind];
      if (!name) return;
      // Without a learned shape, a page in order has that of the release.
      const shape = readBy ?? (isInOrder && !shapes.isLearned(name) ? "release" : undefined);
      if (shape !== undefined) shapes.noteRead(name, { shape, now: clock.now() });
      if (readBy === "release") await retire(deps, name);
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
      const against = contradictions.get(name) ?? new Set();
      const next = open
        ? judge(deps, open, { sample, against, isInOrder })
        : learn(deps, name, recent);
      contradictions.set(name, open ? against : new Set());
      samples.set(name, open ? [] : recent);
      if (!next) return;
      if (!(await deps.saveLearnedShape({ ...next, actor: systemActor, replaces: row ?? null })))
        return;
      shapes.use(await deps.listLearnedShapes());
      if (next.state === "used") await deps.forgetOddFeeds(listing);
      const message = `${name}: a learned shape of the store's pages is ${next.state}`;
      deps.log.warn({ ...next }, message);
    },
  };
};

/** Withdraws a learned shape that no page has had for a day, while pages have that of the release. */
async function retire(deps: HealDeps, name: ShapeName): Promise<void> {
  const { clock, shapes } = deps;
  if (!shapes.isUnseen(name, clock.now())) return;
  const row = (await deps.listLearnedShapes()).find((one) => one.name === name);
  if (row?.state !== "used") return;
  await deps.saveLearnedShape({
    ...row,
    state: "withdrawn",
    reason: formerPages,
    since: clock.now(),
    actor: systemActor,
    replaces: row,
  });
  shapes.use(await deps.listLearnedShapes());
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
    const oddSince = await deps.readOddSince(listing);
    // Reviews that were saved or changed since the first odd page may come from the layout that is in question.
    const isEvidence = ({ firstSeenAt, editedAt }: Review): boolean =>
      oddSince === null || (firstSeenAt < oddSince && (editedAt === null || editedAt < oddSince));
    return new Map(knownReviews(listing.store, stored.filter(isEvidence)));
  }
  const app = feed.app === undefined ? await findKnownApp(deps, feed) : feed.app;
  if (!app?.ratings?.total) return new Map();
  return new Map([[app.externalAppId, findShapes(listing.store)?.knownApp(app) ?? {}]]);
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
    const fields = Object.entries(findShapes(store)?.knownReview(review) ?? {});
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
  if (!details || details.name === null) return null;
  return { externalAppId, ...details, name: details.name, ratings };
}

/** null: nothing was learned. */
function learn(
  { clock, shapes }: HealDeps,
  name: ShapeName,
  samples: readonly Sample[],
): LearnedShape | null {
  const { shape, learning } = learnableShapes[name];
  const found = learnShape(shape, learning, samples);
  if (!found) return null;
  shapes.noteExplained(name, clock.now());
  const items = learning.isSingle ? "apps" : "reviews";
  const reason = `it explains ${found.itemCount} known ${items} of ${found.feedCount} feeds`;
  return { name, shape: found.shape, state: "shadow", roundCount: 0, reason, since: clock.now() };
}

/** null: the page changes nothing for the shape. */
function judge(
  { clock, mode, shapes }: HealDeps,
  learned: LearnedShape,
  page: { sample: Sample; against: Set<string>; isInOrder: boolean },
): LearnedShape | null {
  const { sample, against } = page;
  const shape = parseShape(learned.shape);
  const name = learned.name as ShapeName;
  const { learning } = learnableShapes[name];
  const isRight = shape === null ? false : explains(shape, learning, sample);
  const isAgainst = shape === null || contradicts(shape, learning, sample);
  const now = clock.now();
  if (isRight === true) {
    against.delete(sample.feed);
    shapes.noteExplained(name, now);
  }
  // While it is tried, pages wait for it.
  const isFormer = page.isInOrder && isRight !== true && learned.state !== "used";
  if (isFormer && shapes.isUnseen(name, now))
    return { ...learned, state: "withdrawn", reason: formerPages, since: now };
  if (isAgainst) {
    against.add(sample.feed);
    if (against.size < contradictingFeedsMin) return null;
    const reason = `pages of ${against.size} feeds contradict it`;
    return { ...learned, state: "withdrawn", reason, since: now };
  }
  if (isRight !== true || learned.state !== "shadow") return null;
  const roundCount = learned.roundCount + 1;
  if (roundCount < shadowRounds) return { ...learned, roundCount };
  return { ...learned, roundCount, state: mode === "on" ? "used" : "proposed", since: now };
}
