// One page of Apple's RSS feed of reviews, and what an empty one means: a gap, the end, an app without
// reviews, or a network that is blocked. Only what the store confirms counts as empty.
import { hourMs } from "../../lib/timestamp.ts";
import { foreignCursor, mayHelp, noNextPage, unknownOutcome } from "../response-check.ts";
import type { AppInRegion, FetchedPage, UnknownOutcome } from "../store.ts";
import { type AppleClient, appleName, type RssVariant } from "./apple-client.ts";
import { fetchFallbackReviews } from "./fallback-reviews.ts";
import { fetchLookup } from "./lookup-client.ts";
import type { RssPage } from "./rss-entry.ts";
import { type DepthLimit, fetchRssPage, type RssPageRequest, rssVariants } from "./rss-request.ts";

/** The store shows no more, however many reviews there are. */
const pagesMax = 10;
const pageSize = 50;

export async function fetchReviewPage(
  client: AppleClient,
  { cursor, ...app }: AppInRegion & { cursor: string | null },
): Promise<FetchedPage> {
  const position = cursor === null ? rssStart : parseRssCursor(cursor);
  if (position === null) return foreignCursor;
  const { page, retriesLeft } = position;
  return new PageFetch(client, { ...app, page }, retriesLeft).fetch();
}

/** One page, with all the requests that it takes to know what it is. */
class PageFetch {
  readonly #client: AppleClient;
  readonly #request: RssPageRequest;
  readonly #variant: RssVariant;
  #retriesLeft: number;

  constructor(client: AppleClient, request: RssPageRequest, retriesLeft: number) {
    this.#client = client;
    this.#request = request;
    this.#variant = client.variants.find(client.itunesBaseUrl, hourMs) ?? "default";
    this.#retriesLeft = retriesLeft;
  }

  async fetch(): Promise<FetchedPage> {
    const page = await fetchRssPage(this.#client, { ...this.#request, variant: this.#variant });
    if ("kind" in page) return { outcome: "empty", next: null, capped: true };
    if ("outcome" in page || isOdd(page)) return this.#replaceOdd(page);
    if (isGap(page, this.#request)) return this.#fillGap(page);
    if (page.reviews.length + page.rejectedCount > 0) return this.#accept(page);
    // Past the end: the links that the store sends say so.
    if (page.lastPage !== null && page.lastPage > 0) {
      return { outcome: "empty", ...this.#pagingAfter(page) };
    }
    return this.#request.page > 1 ? this.#fillContradiction() : this.#explainEmptyFeed();
  }

  /** Asks for the same page in the other format, which may be in order. */
  async #replaceOdd(page: RssPage | UnknownOutcome): Promise<FetchedPage> {
    const isRead = !("outcome" in page);
    const tried = this.#variant === "xml" ? (["default"] as const) : (["xml"] as const);
    const alternate = isRead || mayHelp(page) ? await this.#fetchAlternate(tried) : null;
    if (alternate) return this.#accept(alternate);
    return isRead ? this.#accept(page) : { ...page, ...noNextPage };
  }

  /** The page before promised this one, and now there is nothing at all, not even links. */
  async #fillContradiction(): Promise<FetchedPage> {
    const alternate = await this.#fetchAlternate();
    if (alternate) return this.#accept(alternate);
    const { page } = this.#request;
    // Where other feeds can be read, the pages behind this one may be, too.
    const { isReadable } = await this.#checkControlFeed();
    const hasMore = isReadable && page < pagesMax;
    const outcome = unknownOutcome(`${appleName} sent page ${page} as if the app had no reviews`);
    return this.#giveUp(outcome, { next: hasMore ? this.#nextCursor() : null, capped: !hasMore });
  }

  async #fillGap(empty: RssPage): Promise<FetchedPage> {
    const alternate = await this.#fetchAlternate();
    if (alternate) return this.#accept(alternate);
    const reason = `${appleName} left out page ${this.#request.page} of ${empty.lastPage}`;
    return this.#giveUp(unknownOutcome(reason), this.#pagingAfter(empty));
  }

  /**
   * An empty feed without links is sent for an app without reviews, for an app that is not sold there
   * and, at times, for every request of a blocked network, or in one format alone. Another format, the
   * other places that show reviews and a feed that should not be empty decide.
   */
  async #explainEmptyFeed(): Promise<FetchedPage> {
    const lookup = await fetchLookup(this.#client, this.#request);
    if ("outcome" in lookup) return { ...lookup, ...noNextPage };
    if (lookup.kind === "not_found") return { outcome: "empty", ...noNextPage };
    const ratingCount = lookup.ratings?.total ?? manyRatings;
    // Few people who rate write: for a handful of ratings the format that works most often is enough.
    const isSmall = ratingCount < someRatings;
    const alternate = await this.#fetchAlternate(isSmall ? ["xml", "default"] : rssVariants);
    if (alternate) return this.#accept(alternate);
    if (ratingCount === 0) return { outcome: "empty", ...noNextPage };
    const { isReadable, wasReadable } = await this.#checkControlFeed();
    if (isReadable) {
      const reason = `${appleName} shows no reviews of an app with ${ratingCount} ratings`;
      return this.#believeEmpty({ reason, ratingCount });
    }
    const late = isSmall ? await this.#fetchAlternate() : null;
    if (late) return this.#accept(late);
    const reason = `${appleName} shows no reviews, not even of an app that has many`;
    // Where a feed that was full has turned empty, the host blocks this network.
    return this.#giveUp({ ...unknownOutcome(reason), blocked: wasReadable }, noNextPage);
  }

  /** The feed shows nothing, other feeds are full: what other places show, and how many rated, decides. */
  async #believeEmpty(found: { reason: string; ratingCount: number }): Promise<FetchedPage> {
    const unreadable = await this.#giveUp(unknownOutcome(found.reason), noNextPage);
    if (found.ratingCount >= manyRatings || unreadable.fallbackReviews !== undefined) {
      return unreadable;
    }
    const empty = { outcome: "empty" as const, ...noNextPage };
    return found.ratingCount < someRatings ? empty : { ...empty, doubt: found.reason };
  }

  /** Fetches a feed that must have reviews; `wasReadable`: it had some before. */
  async #checkControlFeed(): Promise<{ isReadable: boolean; wasReadable: boolean }> {
    const { lastGoodFeed, controls } = this.#client;
    const { externalAppId, region } = this.#request;
    // One for all storefronts of an app.
    if (controls.find(externalAppId, hourMs)) return { isReadable: true, wasReadable: false };
    const isSelf = lastGoodFeed?.externalAppId === externalAppId && lastGoodFeed.region === region;
    const known = isSelf ? null : lastGoodFeed;
    const control = { ...(known ?? controlApp), page: 1, variant: this.#variant };
    const page = await fetchRssPage(this.#client, control);
    const isReadable = isFilled(page);
    if (isReadable) controls.save(externalAppId, true);
    return { isReadable, wasReadable: known !== null };
  }

  /**
   * The same page in other variants; null where none has reviews. The form that helps is asked for first from then on, and
   * one with reviews that look odd is the last choice.
   */
  async #fetchAlternate(tried: readonly RssVariant[] = rssVariants): Promise<RssPage | null> {
    const client = this.#client;
    let odd: RssPage | null = null;
    for (const variant of tried) {
      if (variant === this.#variant) continue;
      if (this.#retriesLeft === 0) break;
      this.#retriesLeft -= 1;
      await client.waitBeforeRetry();
      const page = await fetchRssPage(client, { ...this.#request, variant });
      if (!isFilled(page)) continue;
      if (isOdd(page)) {
        odd ??= page;
        continue;
      }
      client.variants.save(client.itunesBaseUrl, variant);
      return page;
    }
    return odd;
  }

  #accept(page: RssPage): FetchedPage {
    const { reviews, rejectedCount, copyMadeAt, shape, others } = page;
    if (reviews.length > 0) {
      const { externalAppId, region } = this.#request;
      this.#client.lastGoodFeed = { externalAppId, region };
    }
    const value = {
      reviews,
      rejectedCount,
      copyMadeAt,
      ...(others && shape !== undefined && { others, shape }),
    };
    return { outcome: "ok", value, ...this.#pagingAfter(page) };
  }

  async #giveUp(outcome: UnknownOutcome, paging: Paging): Promise<FetchedPage> {
    const fallbackReviews =
      this.#retriesLeft > 0 && !outcome.blocked
        ? await fetchFallbackReviews(this.#client, this.#request)
        : [];
    const final = { ...outcome, isFinal: true as const, ...paging };
    return fallbackReviews.length > 0 ? { ...final, fallbackReviews } : final;
  }

  #pagingAfter({ reviews, rejectedCount, lastPage }: RssPage): Paging {
    const { page } = this.#request;
    const isFull = reviews.length + rejectedCount >= pageSize;
    // Without links a full page is the only sign that there is more.
    const last = Math.min(pagesMax, lastPage ?? (isFull ? pagesMax : page));
    const capped = page === pagesMax && isFull;
    return { next: page < last ? this.#nextCursor() : null, capped };
  }

  #nextCursor(): string {
    return formatRssCursor({ page: this.#request.page + 1, retriesLeft: this.#retriesLeft });
  }
}

/** Every thirtieth or so writes a review: so many without one are worth another try. */
const someRatings = 30;
/** An app with this many ratings must have reviews, so the page is treated as a gap in the feed. */
const manyRatings = 1_000;

/** Nothing on it can be read as a review, or the reviews lack what each has. */
function isOdd({ reviews, rejectedCount }: RssPage): boolean {
  if (reviews.length === 0) return rejectedCount > 0;
  const times = new Set(reviews.map(({ date }) => date?.getTime()));
  return (
    reviews.every(({ date }) => date === null) ||
    reviews.every(({ text }) => text === null) ||
    reviews.every(({ author }) => author === "") ||
    (reviews.length >= alikeCountMin && times.size === 1)
  );
}

/** So many reviews are not written in the same second. */
const alikeCountMin = 10;

type Paging = { next: string | null; capped: boolean };

/** One of the largest apps: its feed is empty only where all are. */
const controlApp: AppInRegion = { externalAppId: "389801252", region: "us" };

function isGap({ reviews, rejectedCount, lastPage }: RssPage, { page }: RssPageRequest): boolean {
  return reviews.length === 0 && rejectedCount === 0 && lastPage !== null && lastPage >= page;
}

function isFilled(page: RssPage | DepthLimit | UnknownOutcome): page is RssPage {
  return "reviews" in page && page.reviews.length > 0;
}

type RssCursor = { page: number; retriesLeft: number };

/** A feed full of gaps must not cost a day's worth of requests. */
const retriesMax = 12;

const rssStart: RssCursor = { page: 1, retriesLeft: retriesMax };

function formatRssCursor({ page, retriesLeft }: RssCursor): string {
  return retriesLeft === retriesMax ? String(page) : `${page}.${retriesLeft}`;
}

/** null: not a cursor of this store. */
function parseRssCursor(cursor: string): RssCursor | null {
  const [, page, left] = cursor.match(/^([1-9]\d{0,3})(?:\.(\d{1,2}))?$/) ?? [];
  if (page === undefined) return null;
  const retriesLeft = left === undefined ? retriesMax : Math.min(retriesMax, Number(left));
  return { page: Number(page), retriesLeft };
}
