// One page of Apple's review feed, and what its emptiness means: a hole, the end, an app without
// reviews, or a network that is shut out. Only what the store confirms counts as empty.
import { unknown } from "../response-check.ts";
import type { AppInRegion, FetchedPage, ReviewPage, Unknown } from "../store.ts";
import { type AppleClient, appleName } from "./apple-client.ts";
import { salvage } from "./fallback-reviews.ts";
import { lookUp } from "./lookup-client.ts";
import { feedStart, readFeedCursor, writeFeedCursor } from "./rss-cursor.ts";
import type { FeedPage } from "./rss-entry.ts";
import { type AskedPage, askFeed, type DepthLimit, otherForms } from "./rss-request.ts";

/** The store hands out no more, however many reviews there are. */
const pagesMax = 10;
const pageSize = 50;

export async function fetchFeedPage(
  client: AppleClient,
  { cursor, ...app }: AppInRegion & { cursor: string | null },
): Promise<FetchedPage> {
  const place = cursor === null ? feedStart : readFeedCursor(cursor);
  if (place === null) {
    return { ...unknown("the cursor is not one of this store's"), next: null, truncated: false };
  }
  return new FeedStep(client, { ...app, ...place }).take();
}

type Asked = AskedPage & { triesLeft: number };

/** One step of a walk. */
class FeedStep {
  readonly #client: AppleClient;
  readonly #asked: Asked;
  #triesLeft: number;

  constructor(client: AppleClient, asked: Asked) {
    this.#client = client;
    this.#asked = asked;
    this.#triesLeft = asked.triesLeft;
  }

  async take(): Promise<FetchedPage> {
    const seen = await askFeed(this.#client, { asked: this.#asked, form: "usual" });
    if ("kind" in seen) return { outcome: "empty", next: null, truncated: true };
    if ("outcome" in seen) return { ...seen, next: null, truncated: false };
    if (isHole(seen, this.#asked)) return this.#takeHole(seen);
    if (seen.reviews.length + seen.rejectedCount > 0) return this.#accept(seen);
    // Past the end: the links that the store sends say so.
    if (seen.lastPage !== null && seen.lastPage > 0) {
      return { outcome: "empty", ...this.#pagingAfter(seen) };
    }
    return this.#asked.page > 1 ? this.#takeContradiction() : this.#takeNothing();
  }

  /** The page before promised this one, and now there is nothing at all, not even links. */
  async #takeContradiction(): Promise<FetchedPage> {
    const filled = await this.#askOtherwise();
    if (filled) return this.#accept(filled);
    const { page } = this.#asked;
    const reason = `${appleName} sent page ${page} as if the app had no reviews`;
    // Where other feeds answer, so may the pages behind this one.
    const { isAnswered } = await this.#askControl();
    const next = { page: page + 1, triesLeft: this.#triesLeft };
    const isMore = isAnswered && page < pagesMax;
    return this.#giveUp(unknown(reason), {
      next: isMore ? writeFeedCursor(next) : null,
      truncated: !isMore,
    });
  }

  async #takeHole(seen: FeedPage): Promise<FetchedPage> {
    const filled = await this.#askOtherwise();
    if (filled) return this.#accept(filled);
    const reason = `${appleName} left out page ${this.#asked.page} of ${seen.lastPage}`;
    return this.#giveUp(unknown(reason), this.#pagingAfter(seen));
  }

  /**
   * An empty feed without links is the answer for an app without reviews, for an app that is not
   * sold there and, at times, for everything that a shut-out network asks. An app without ratings
   * has no reviews; for one with ratings, other forms of the page and a feed that should not be empty
   * tell which it is.
   */
  async #takeNothing(): Promise<FetchedPage> {
    const end = { next: null, truncated: false };
    const found = await lookUp(this.#client, this.#asked);
    if ("outcome" in found) return { ...found, ...end };
    const ratingCount = found.kind === "not_found" ? 0 : (found.ratings?.total ?? manyRatings);
    if (ratingCount === 0) return { outcome: "empty", ...end };
    // Few people who rate write, so that a handful of ratings is no reason to ask again.
    const early = ratingCount >= someRatings ? await this.#askOtherwise() : null;
    if (early) return this.#accept(early);
    const { isAnswered, isKnownToAnswer } = await this.#askControl();
    if (isAnswered && ratingCount < manyRatings) return { outcome: "empty", ...end };
    if (isAnswered) {
      const reason = `${appleName} shows no reviews of an app with ${ratingCount} ratings`;
      return this.#giveUp(unknown(reason), end);
    }
    const late = ratingCount >= someRatings ? null : await this.#askOtherwise();
    if (late) return this.#accept(late);
    const reason = `${appleName} shows no reviews, not even of an app that has many`;
    // Where a feed that was full has fallen silent, the host as a whole is to be left alone.
    return this.#giveUp({ ...unknown(reason), blocked: isKnownToAnswer }, end);
  }

  /** Asks for a feed that must have reviews. */
  async #askControl(): Promise<{ isAnswered: boolean; isKnownToAnswer: boolean }> {
    const { control, isKnownToAnswer } = this.#chooseControl();
    const feed = await askFeed(this.#client, { asked: { ...control, page: 1 }, form: "usual" });
    return { isAnswered: isFilled(feed), isKnownToAnswer };
  }

  #chooseControl(): { control: AppInRegion; isKnownToAnswer: boolean } {
    const { answeringFeed } = this.#client;
    const { externalAppId, region } = this.#asked;
    const isSelf =
      answeringFeed?.externalAppId === externalAppId && answeringFeed.region === region;
    return answeringFeed === null || isSelf
      ? { control: controlApp, isKnownToAnswer: false }
      : { control: answeringFeed, isKnownToAnswer: true };
  }

  /** The same page in other forms, the one that helped last first. */
  async #askOtherwise(): Promise<FeedPage | null> {
    const client = this.#client;
    const { helpfulForm } = client;
    const forms = otherForms.toSorted(
      (one, other) => Number(other === helpfulForm) - Number(one === helpfulForm),
    );
    for (const form of forms) {
      if (this.#triesLeft === 0) return null;
      this.#triesLeft -= 1;
      await client.waitBeforeRetry();
      const page = await askFeed(client, { asked: this.#asked, form });
      if (!isFilled(page)) continue;
      client.helpfulForm = form;
      return page;
    }
    return null;
  }

  #accept(seen: FeedPage): FetchedPage {
    if (seen.reviews.length > 0) {
      const { externalAppId, region } = this.#asked;
      this.#client.answeringFeed = { externalAppId, region };
    }
    const { reviews, rejectedCount, copyMadeAt } = seen;
    const value: ReviewPage = { reviews, rejectedCount, copyMadeAt };
    return { outcome: "ok", value, ...this.#pagingAfter(seen) };
  }

  async #giveUp(why: Unknown, paging: Paging): Promise<FetchedPage> {
    const salvaged =
      this.#triesLeft > 0 && !why.blocked ? await salvage(this.#client, this.#asked) : [];
    return { ...why, isFinal: true, ...paging, ...(salvaged.length > 0 ? { salvaged } : {}) };
  }

  #pagingAfter({ reviews, rejectedCount, lastPage }: FeedPage): Paging {
    const { page } = this.#asked;
    const isFull = reviews.length + rejectedCount >= pageSize;
    // Without links a full page is the only sign that there is more.
    const last = Math.min(pagesMax, lastPage ?? (isFull ? pagesMax : page));
    const next = { page: page + 1, triesLeft: this.#triesLeft };
    return {
      next: page < last ? writeFeedCursor(next) : null,
      truncated: page === pagesMax && isFull,
    };
  }
}

/** Every thirtieth or so writes a review: so many without one are worth another try. */
const someRatings = 30;
/** So many ratings and not one review is no state of an app but a gap in the feed. */
const manyRatings = 1_000;

type Paging = { next: string | null; truncated: boolean };

/** One of the largest apps: its feed is empty only where all are. */
const controlApp: AppInRegion = { externalAppId: "389801252", region: "us" };

function isHole({ reviews, rejectedCount, lastPage }: FeedPage, { page }: AskedPage): boolean {
  return reviews.length === 0 && rejectedCount === 0 && lastPage !== null && lastPage >= page;
}

function isFilled(page: FeedPage | DepthLimit | Unknown): page is FeedPage {
  return "reviews" in page && page.reviews.length > 0;
}
