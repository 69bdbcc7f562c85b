// The price of trials: a year of healthy apps, with what authors, developers, voters and stores do to reviews. `npm run fuzz`
// plays 200 apps for a year, other runs fewer. Counts the days on which a source is not trusted, and pages that wait.
import { appendFileSync } from "node:fs";
import { expect, test } from "vitest";
import { createRandom } from "../../../simulator/random.ts";
import { ownKinds, type QuarantinedPage } from "../../../src/domain/feed/page-quarantine.ts";
import { decidePage, nothingOdd, stateOf } from "../../../src/domain/feed/source-trust.ts";
import type { Review, SourceReview } from "../../../src/domain/review/review.ts";
import { judgeOnItsOwn } from "../../../src/ingest/page-causes.ts";
import type { ReadPage } from "../../../src/ingest/page-facts.ts";
import { dayMs, hourMs } from "../../../src/lib/timestamp.ts";
import { aReview } from "../../support/factories.ts";
import { patience } from "../../support/patience.ts";
import { isMeasured } from "./fuzz-case.ts";

const [appCount, dayCount] = isMeasured ? [200, 365] : [20, 60];
const feedsOfApp = 4;
/** Reviews of a first page. */
const pageMax = 50;
const startMs = Date.parse("2026-01-01T00:00:00Z");
/** FUZZ_SEED gives another year. */
const { next, chance, whole, pick } = createRandom(Number(process.env["FUZZ_SEED"] ?? 7));

/** How often things happen to one review in a day: assumptions, on the high side. */
const daily = {
  edited: 0.002,
  replied: 0.002,
  replyDeleted: 0.000_1,
  renamed: 0.000_5,
  removed: 0.000_5,
  voted: 0.01,
  unvoted: 0.000_3,
  /** Six to fifteen votes at once. */
  famous: 0.000_05,
};
/** How often things happen to a feed in a day. */
const ofFeed = {
  /** A release, with five times the reviews and edits for three days. */
  release: 0.03,
  /** The store removes a third of its reviews. */
  purged: 0.000_05,
  /** A copy of the day before is served. */
  stale: 0.001,
  /** The app starts anew: all of its reviews are removed. */
  cleared: 0.000_02,
};
/** One app of the year shows the list of another one, and no operator looks at it for so long. */
const oddApp = { app: 3, sinceDay: 30, days: 60 };

type Feed = {
  app: number;
  perDay: number;
  number: number;
  reviews: SourceReview[];
  stored: Map<string, Review>;
  copy: SourceReview[];
  /** The last page that counted. */
  saved: readonly SourceReview[];
  state: ReadPage["feed"];
  held: QuarantinedPage | null;
  oddAt: number;
  releasedAt: number;
};

function aFeed(app: number, index: number): Feed {
  const number = app * feedsOfApp + index;
  // Most feeds have a review in months, some have thirty a day.
  const perDay = 30 ** (next() * 2.4 - 1.4);
  const feed: Feed = {
    ...{ app, number, perDay, reviews: [], stored: new Map(), copy: [], saved: [], held: null },
    ...{ oddAt: Number.NEGATIVE_INFINITY, releasedAt: Number.NEGATIVE_INFINITY },
    state: {
      ...{ baselineAt: null, watermark: null, goodAt: null, fullCrawlAt: null },
      ...{ headCount: 0, quarantinedPage: null },
    },
  };
  const count = Math.min(pageMax, Math.ceil(perDay * 90));
  for (let back = count; back > 0; back -= 1) write(feed, startMs - (back / perDay) * dayMs);
  return feed;
}

let writtenCount = 0;
function write(feed: Feed, at: number): void {
  writtenCount += 1;
  feed.reviews.unshift({
    storeReviewId: `review-${writtenCount}`,
    author: `Reader ${writtenCount}`,
    rating: pick([1, 1, 2, 3, 4, 5, 5, 5, 5]),
    title: null,
    text: chance(0.3)
      ? pick(["Good", "Great app", "Nice", "Bad"])
      : `The tide ${writtenCount} is late`,
    version: `${1 + (writtenCount % 3)}.0`,
    country: null,
    languageHint: null,
    date: new Date(at),
    votes: 0,
    reply: null,
  });
}

/** A day in the life of a feed. */
function live(feed: Feed, now: number): void {
  feed.copy = [...feed.reviews];
  if (chance(ofFeed.release)) feed.releasedAt = now;
  const rush = now - feed.releasedAt < 3 * dayMs ? 5 : 1;
  const expected = feed.perDay * rush;
  const newCount = Math.floor(expected) + (chance(expected % 1) ? 1 : 0);
  if (chance(ofFeed.cleared)) feed.reviews = [];
  if (chance(ofFeed.purged)) feed.reviews = feed.reviews.filter(() => chance(0.67));
  feed.reviews = feed.reviews
    .filter(() => !chance(daily.removed))
    .map((review) => change(review, now, rush));
  for (let count = newCount; count > 0; count -= 1)
    write(feed, now - Math.floor((count / (newCount + 1)) * dayMs));
  const time = ({ date }: SourceReview): number => date?.getTime() ?? 0;
  feed.reviews.sort((one, other) => time(other) - time(one)).splice(2 * pageMax);
}

function change(review: SourceReview, now: number, rush: number): SourceReview {
  const at = new Date(now - whole(1, 23) * hourMs);
  const { author, votes, reply } = review;
  const gained =
    (chance(daily.voted) ? whole(1, 2) : 0) + (chance(daily.famous) ? whole(6, 15) : 0);
  const lost = (votes ?? 0) > 0 && chance(daily.unvoted) ? 1 : 0;
  const isReplied = reply === null && chance(daily.replied * rush);
  const isUnreplied = reply !== null && chance(daily.replyDeleted);
  const isEdited = chance(daily.edited * rush);
  const isRenamed = chance(daily.renamed);
  if (![gained > 0, lost > 0, isReplied, isUnreplied, isEdited, isRenamed].includes(true))
    return review;
  return {
    ...review,
    votes: (votes ?? 0) + gained - lost,
    author: isRenamed ? `${author} II` : author,
    reply: isReplied ? { text: `Thanks, ${author}`, at } : isUnreplied ? null : reply,
    ...(isEdited && { date: at, rating: whole(1, 5), text: `On second thought, ${at.getTime()}` }),
  };
}

function listPage(feed: Feed, feeds: readonly Feed[], now: number): SourceReview[] {
  const day = (now - startMs) / dayMs;
  const isOdd =
    feed.app === oddApp.app && day >= oddApp.sinceDay && day < oddApp.sinceDay + oddApp.days;
  const other = isOdd ? feeds[feed.number + feedsOfApp] : undefined;
  const { reviews } = other ?? feed;
  return (chance(ofFeed.stale) ? feed.copy : reviews).slice(0, pageMax);
}

/** Reads the first page. Returns the kind that it is held back by. */
function read(feed: Feed, feeds: readonly Feed[], now: number): string | null {
  const page = listPage(feed, feeds, now);
  // A page as it is stored saves nothing.
  const isStored = page.every((review, index) => review === feed.saved[index]);
  if (isStored && page.length === feed.saved.length) return null;
  const identified = page.map((review) => ({ id: review.storeReviewId, review }));
  const judgement = judgeOnItsOwn({
    store: "googleplay",
    identified,
    known: new Map(
      identified.flatMap(({ id }) =>
        feed.stored.has(id) ? [[id, feed.stored.get(id) as Review]] : [],
      ),
    ),
    rejectedCount: 0,
    feed: { ...feed.state, quarantinedPage: feed.held },
    isFirstPage: true,
    hasReplies: true,
  });
  const odd = feeds.filter((one) => one !== feed && now - one.oddAt < dayMs);
  const own = odd.filter(({ app }) => app === feed.app);
  const verdict = decidePage({
    judgement,
    source: "public",
    odd: {
      ...nothingOdd,
      ownCount: own.length,
      otherAppCount: new Set(odd.map(({ app }) => app)).size - (own.length > 0 ? 1 : 0),
    },
    testimony: "right",
    quarantined: feed.held,
    acceptedKind: null,
    isAcceptedByUser: false,
    now: new Date(now),
  });
  if (verdict.kind === "held") {
    feed.held = verdict.page;
    if (!ownKinds.includes(verdict.page.kind)) feed.oddAt = verdict.page.since.getTime();
    return verdict.page.kind;
  }
  feed.held = null;
  feed.saved = page;
  for (const { id, review } of identified) feed.stored.set(id, toStored(id, review));
  const newest = Math.max(...page.map(({ date }) => date?.getTime() ?? 0));
  const readAt = new Date(now);
  const watermark = new Date(Math.max(newest, feed.state.watermark?.getTime() ?? 0));
  feed.state = {
    ...{ baselineAt: readAt, goodAt: readAt, fullCrawlAt: readAt, watermark },
    ...{ headCount: page.length, quarantinedPage: null },
  };
  return null;
}

const base = aReview({ storeReviewId: "base" });
function toStored(id: string, { text, date, country, ...review }: SourceReview): Review {
  return {
    ...base,
    ...review,
    id,
    text: text ?? "",
    date: date ?? new Date(startMs),
    country: country ?? "",
  };
}

test("healthy sources are on trial at most one day in a hundred", {
  timeout: patience(600_000),
}, () => {
  const feeds = Array.from({ length: appCount * feedsOfApp }, (_, index) =>
    aFeed(Math.floor(index / feedsOfApp), index % feedsOfApp),
  );
  const days = { trusted: 0, on_trial: 0, known_changed: 0 };
  const heldDays: Record<string, number> = {};
  let readCount = 0;
  for (let day = 0; day < dayCount; day += 1) {
    const now = startMs + day * dayMs;
    for (const feed of feeds) live(feed, now);
    for (const feed of feeds) {
      const kind = read(feed, feeds, now);
      readCount += 1;
      if (kind !== null) heldDays[kind] = (heldDays[kind] ?? 0) + 1;
    }
    const odd = feeds.filter(({ oddAt }) => now - oddAt < dayMs);
    const apps = new Set(odd.map(({ app }) => app)).size;
    days[stateOf({ ...nothingOdd, otherAppCount: apps, ownCount: odd.length > apps ? 1 : 0 })] += 1;
  }
  const waiting = feeds.filter(({ held }) => held !== null).length;
  const figures = JSON.stringify({ appCount, dayCount, readCount, days, heldDays, waiting });
  if (process.env["TRIAL_LOG"]) appendFileSync(process.env["TRIAL_LOG"], `year\t${figures}\n`);
  // docs/adr/0098-a-store-on-trial.md has what is measured. A short year has the odd app as well.
  const oddCount = days.on_trial + days.known_changed;
  expect(oddCount, figures).toBeLessThanOrEqual(Math.max(2, Math.floor(dayCount * 0.01)));
});
