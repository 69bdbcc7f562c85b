// The read API as typed calls: pages and whole lists of reviews, ratings, trends. Waits when the service
// says that the rate limit is used up or that it is away for a moment, and tries again.
import { ApiError, ConnectionError, readProblem } from "./errors.ts";
import type {
  App,
  ChangePage,
  Changes,
  ExportedReview,
  Feed,
  IncludedFields,
  RatingDay,
  RatingSummary,
  Release,
  Review,
  ReviewEdits,
  ReviewPage,
  SentimentLabel,
  Store,
  Trends,
  Verdict,
  WholeReview,
} from "./types.ts";

export type ClientOptions = {
  /** Where Starpost runs, with or without `/api/v1`: `https://reviews.example.com`. */
  baseUrl: string;
  /** A workspace's key, `sp_…`. It belongs on servers, not in public pages. */
  apiKey: string;
  /** Another `fetch`, for example with a proxy or for tests. */
  fetch?: typeof fetch;
  /** How often a call is tried again after 429, 503 or a broken connection; default 3, 0 for never. */
  retriesMax?: number;
  /** Longest wait before another try, in milliseconds; default 65,000 (a whole rate window). */
  waitMaxMs?: number;
  /** Longest time for one try, in milliseconds; default 30,000. */
  timeoutMs?: number;
};

/** Filters are combined with "and". Days are UTC, both inclusive. */
export type ReviewFilters = {
  app?: string | readonly string[];
  store?: Store | readonly Store[];
  /** YYYY-MM-DD */
  from?: string;
  /** YYYY-MM-DD */
  to?: string;
  /** Stars, 1 to 5. */
  rating?: number | readonly number[];
  sentiment?: SentimentLabel | readonly SentimentLabel[];
  topic?: string | readonly string[];
  /** As the review has it: storefront for appstore, detected language for googleplay. */
  country?: string | readonly string[];
  /** The language of the review. */
  language?: string | readonly string[];
  version?: string | readonly string[];
  /** With a text, or with stars alone. */
  hasText?: boolean;
  /** Characters that the text has at least. */
  minLength?: number;
  /** With a public reply, or without one. */
  hasReply?: boolean;
  /** Edited since Starpost knows it, or not. */
  edited?: boolean;
  /** No longer shown by the store, or still. */
  removed?: boolean;
  /** In title, text, author or translation, in upper or lower case. */
  q?: string;
  /** Further fields of each review. */
  include?: keyof IncludedFields | readonly (keyof IncludedFields)[];
};

export type PageQuery = ReviewFilters & {
  /** 1 to 100; default 50. */
  limit?: number;
  /** `nextCursor` of the page before. */
  cursor?: string;
};

/** `cursor` is that of the last row that is known. */
export type ExportQuery = Omit<PageQuery, "limit">;

/** For callers that keep a copy: what was new, edited, analysed or translated since a moment. */
export type ChangeQuery = PageQuery & {
  /** ISO 8601 in UTC, like 2026-11-21T08:37:00Z. */
  updatedSince: string;
};

export type CallOptions = { signal?: AbortSignal };

/** Several apps are counted together. */
export type TrendQuery = {
  app: string | readonly string[];
  from?: string;
  to?: string;
  /** `topTopics` has the topics of the workspace alone. */
  topics?: "own";
};

/** Without `from` the last 90 days, by week a year. */
export type RatingHistoryQuery = {
  app: string;
  from?: string;
  to?: string;
  by?: "day" | "week";
  /** Storefronts, each by itself; without it all together. */
  region?: string | readonly string[];
};

export type ChangesQuery = {
  app: string;
  /** An app version; without it the week up to `to`. */
  since?: string;
  to?: string;
};

/** `worseBy`: the rise of a share that `fine` rules out, 0.2 by default. */
export type VerdictQuery = { app: string; version: string; worseBy?: number };

/** Every call throws `ApiError` for a failure of the service and `ConnectionError` without an answer. */
export type StarpostClient = {
  listApps(options?: CallOptions): Promise<App[]>;
  /** One page, newest first. */
  listReviews(query?: PageQuery, options?: CallOptions): Promise<ReviewPage>;
  /** All reviews that match, newest first, page after page as they are asked for. */
  eachReview(query?: Omit<PageQuery, "cursor">, options?: CallOptions): AsyncGenerator<Review>;
  /** All reviews that match, newest first, from one response; a broken one is continued behind its last row. */
  exportReviews(query?: ExportQuery, options?: CallOptions): AsyncGenerator<ExportedReview>;
  /** One page, the earliest change first; pass the `updatedUntil` of the last page as the next `updatedSince`. */
  listChanges(query: ChangeQuery, options?: CallOptions): Promise<ChangePage>;
  /** @throws ApiError `no_ratings_yet` until the first daily snapshot, `no_histogram_yet` until one has counts by star */
  getRatings(query: { app: string }, options?: CallOptions): Promise<RatingSummary>;
  /** The oldest day first. */
  listRatingHistory(query: RatingHistoryQuery, options?: CallOptions): Promise<RatingDay[]>;
  /** The newest first. */
  listReleases(query: { app: string }, options?: CallOptions): Promise<Release[]>;
  getChanges(query: ChangesQuery, options?: CallOptions): Promise<Changes>;
  /** How the app is read, by storefront and language. */
  getCoverage(query: { app: string }, options?: CallOptions): Promise<Feed[]>;
  getTrends(query: TrendQuery, options?: CallOptions): Promise<Trends>;
  /** The values of the `topic` filter. */
  listTopics(options?: CallOptions): Promise<string[]>;
  /** @throws ApiError `not_found` without such a review */
  getReview(query: { review: string }, options?: CallOptions): Promise<WholeReview>;
  /** @throws ApiError `not_found` for a version that no review of the app names */
  getVerdict(query: VerdictQuery, options?: CallOptions): Promise<Verdict>;
  /** @throws ApiError `not_found` without such a review */
  listEdits(query: { review: string; app?: string }, options?: CallOptions): Promise<ReviewEdits>;
};

/** @throws TypeError when the base URL or the key can't be right */
export function createClient(options: ClientOptions): StarpostClient {
  const send = createGet(options, (response) => response.json());
  const get: Get = async <Body>(path: string, params: Params, call?: CallOptions) =>
    (await send(path, params, call)).body as Body;
  return {
    listApps: async (call) => (await get<{ apps: App[] }>("apps", {}, call)).apps,
    listReviews: (query, call) => get("reviews", query ?? {}, call),
    eachReview: (query, call) => eachReview(get, query ?? {}, call),
    exportReviews: (query, call) => exportReviews(options, query ?? {}, call),
    getRatings: (query, call) => get("ratings", query, call),
    listChanges: async (query, call) => {
      const { body, headers } = await send("reviews", query, call);
      return {
        ...(body as ReviewPage),
        updatedUntil: headers.get("updated-until") ?? query.updatedSince,
      };
    },
    listRatingHistory: async (query, call) =>
      (await get<{ history: RatingDay[] }>("ratings/history", query, call)).history,
    listReleases: async (query, call) =>
      (await get<{ releases: Release[] }>("releases", query, call)).releases,
    getChanges: (query, call) => get("changes", query, call),
    getCoverage: async (query, call) =>
      (await get<{ feeds: Feed[] }>("coverage", query, call)).feeds,
    getTrends: (query, call) => get("trends", query, call),
    listTopics: async (call) => (await get<{ topics: string[] }>("topics", {}, call)).topics,
    getVerdict: ({ version, ...query }, call) =>
      get(`releases/${encodeURIComponent(version)}/verdict`, query, call),
    getReview: async ({ review }, call) => get(`reviews/${toUuid(review)}`, {}, call),
    listEdits: (query, call) => get("edits", query, call),
  };
}

/**
 * The id is a part of the path, where any other text would be a part of another request: `export`, `../apps`.
 *
 * @throws ApiError `not_found`, which the service answers to such ids elsewhere
 */
function toUuid(id: string): string {
  if (/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i.test(id)) return id;
  const unanswered = { requestId: null, retryAfterSeconds: null };
  const message = "A review's id is a UUID.";
  throw new ApiError({ status: 404, code: "not_found", message, ...unanswered });
}

async function* eachReview(
  get: Get,
  query: Omit<PageQuery, "cursor">,
  call: CallOptions | undefined,
): AsyncGenerator<Review> {
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const params: Params = { limit: 100, ...query, cursor };
    const page: ReviewPage = await get<ReviewPage>("reviews", params, call);
    yield* page.reviews;
    cursor = page.nextCursor;
  }
}

async function* exportReviews(
  options: ClientOptions,
  { cursor: first, ...query }: ExportQuery,
  call: CallOptions | undefined,
): AsyncGenerator<ExportedReview> {
  const send = createGet(options, async ({ body }) => body);
  let cursor = first;
  for (let failureCount = 0; ; ) {
    const { body } = await send("reviews/export", { ...query, cursor }, call);
    try {
      for await (const line of readLines(body, call?.signal)) {
        const review: ExportedReview = JSON.parse(line);
        yield review;
        cursor = review.cursor;
        failureCount = 0;
      }
      return;
    } catch (cause) {
      if (!(cause instanceof BrokenBody)) throw cause;
      failureCount += 1;
      if (failureCount > (options.retriesMax ?? 3)) {
        throw new ConnectionError("the export was broken off", { cause: cause.cause });
      }
    }
  }
}

class BrokenBody extends Error {}

/** The last one, if its end is missing, is not complete. */
async function* readLines(
  body: ReadableStream<Uint8Array> | null,
  signal: AbortSignal | undefined,
): AsyncGenerator<string> {
  const reader = body?.getReader();
  const decoder = new TextDecoder();
  const cancel = (): void => void reader?.cancel();
  signal?.addEventListener("abort", cancel, { once: true });
  try {
    for (let rest = ""; reader; ) {
      const part = await reader.read().catch((cause: unknown) => {
        throw new BrokenBody("", { cause });
      });
      signal?.throwIfAborted();
      if (part.done) return;
      const lines = (rest + decoder.decode(part.value, { stream: true })).split("\n");
      rest = lines.pop() ?? "";
      yield* lines;
    }
  } finally {
    signal?.removeEventListener("abort", cancel);
    // Frees the service's stream when the caller stops early; a body that has ended does not mind.
    await reader?.cancel().catch(() => {});
  }
}

type Params = Record<string, string | number | boolean | readonly (string | number)[] | undefined>;
type Get = <Body>(path: string, params: Params, call?: CallOptions) => Promise<Body>;
type Answer<Body> = { body: Body; headers: Headers };
type Read<Body> = (response: Response) => Promise<Body>;
type Send<Body> = (path: string, params: Params, call?: CallOptions) => Promise<Answer<Body>>;

function createGet<Body>(options: ClientOptions, read: Read<Body>): Send<Body> {
  const base = apiBase(options.baseUrl);
  if (!options.apiKey) throw new TypeError("apiKey is missing");
  const { retriesMax = 3, waitMaxMs = 65_000, timeoutMs = 30_000 } = options;
  const send = options.fetch ?? globalThis.fetch;
  const headers = { authorization: `Bearer ${options.apiKey}`, accept: "application/json" };

  return async (path, params, call = {}) => {
    const url = `${base}/${path}${queryText(params)}`;
    for (let tryCount = 1; ; tryCount++) {
      const mayRetry = tryCount <= retriesMax;
      const attempt = { url, headers, timeoutMs, signal: call.signal };
      const outcome = await tryOnce(send, attempt, read);
      if ("body" in outcome) return outcome;
      const waitMs = outcome.waitMs ?? 500 * 2 ** (tryCount - 1);
      if (!mayRetry || !outcome.isPassing || waitMs > waitMaxMs) throw outcome.error;
      await delay(waitMs, call.signal);
    }
  };
}

type Outcome<Body> =
  | Answer<Body>
  /** `isPassing`: another try may succeed; `waitMs`: the service said when. */
  | { error: Error; isPassing: boolean; waitMs?: number };

type Attempt = {
  url: string;
  headers: Record<string, string>;
  timeoutMs: number;
  signal: AbortSignal | undefined;
};

async function tryOnce<Body>(
  send: typeof fetch,
  { url, headers, timeoutMs, signal }: Attempt,
  read: Read<Body>,
): Promise<Outcome<Body>> {
  const controller = new AbortController();
  const abort = (): void => controller.abort(signal?.reason);
  signal?.throwIfAborted();
  signal?.addEventListener("abort", abort, { once: true });
  const timer = setTimeout(
    () => controller.abort(new Error(`no answer within ${timeoutMs} ms`)),
    timeoutMs,
  );
  try {
    const response = await send(url, { headers, signal: controller.signal });
    if (response.ok) {
      return { body: await read(response), headers: response.headers };
    }
    const error = await readProblem(response);
    const isPassing = [429, 502, 503, 504].includes(response.status);
    const { retryAfterSeconds } = error;
    if (retryAfterSeconds === null) return { error, isPassing };
    return { error, isPassing, waitMs: retryAfterSeconds * 1_000 };
  } catch (cause) {
    if (signal?.aborted) throw signal.reason;
    return { error: new ConnectionError(`GET ${url} failed`, { cause }), isPassing: true };
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", abort);
  }
}

function apiBase(baseUrl: string): string {
  const url = new URL(baseUrl);
  if (!/^https?:$/.test(url.protocol))
    throw new TypeError("baseUrl must begin with https:// or http://");
  const path = url.pathname.replace(/\/+$/, "");
  return `${url.origin}${path.endsWith("/api/v1") ? path : `${path}/api/v1`}`;
}

function queryText(params: Params): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(params)) {
    if (value === undefined) continue;
    query.set(name, Array.isArray(value) ? value.join(",") : String(value));
  }
  const text = query.toString();
  return text === "" ? "" : `?${text}`;
}

function delay(durationMs: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(finish, durationMs);
    signal?.addEventListener("abort", cancel, { once: true });
    function finish(): void {
      signal?.removeEventListener("abort", cancel);
      resolve();
    }
    function cancel(): void {
      clearTimeout(timer);
      reject(signal?.reason);
    }
  });
}
