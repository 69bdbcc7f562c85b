// The API as typed calls: pages and whole lists of reviews, ratings, trends; and the set-up of the workspace. Waits when the service
// says that the rate limit is used up or that it is away for a moment, and tries again.
import { ApiError, ConnectionError, readProblem } from "./errors.ts";
import type {
  App,
  AppChange,
  AppInput,
  Changes,
  ChangesQuery,
  ChannelChange,
  ChannelInput,
  CredentialInput,
  EditQuery,
  ExportedReview,
  ExportReviewsQuery,
  Feed,
  ListReviewsQuery,
  ManagedApp,
  ManagedChannel,
  OwnTopic,
  RatingDay,
  RatingHistoryQuery,
  RatingSummary,
  Release,
  Review,
  ReviewEdits,
  ReviewPage,
  SavedView,
  Sentiment,
  Setup,
  SetupStep,
  StoreCredential,
  TopicChange,
  TopicInput,
  TrendQuery,
  Trends,
  Verdict,
  VerdictQuery,
  ViewChange,
  ViewInput,
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

export type SentimentLabel = Sentiment["label"];
/** The fields that `include` adds to a review. */
export type IncludedFields = Omit<WholeReview, keyof Review | "versions">;

/** Filters are combined with "and". Days are UTC, both inclusive. */
export type ReviewFilters = Omit<PageQuery, "limit" | "cursor">;
export type PageQuery = Omit<ListReviewsQuery, "updatedSince">;
/** `cursor` is that of the last row that is known. */
export type ExportQuery = Omit<ExportReviewsQuery, "format">;
/** For callers that keep a copy: what was new, edited, analysed or translated since a moment. */
export type ChangeQuery = ListReviewsQuery & { updatedSince: string };
export type ChangePage = ReviewPage & {
  /** Every change before this moment is on this page or on one before it, unless there is a `nextCursor`. */
  updatedUntil: string;
};

export type CallOptions = { signal?: AbortSignal };

/** The things that programs set up, by the first part of their path. `own-topics` are those of the workspace alone. */
export type ManagedThings = {
  apps: ManagedApp;
  channels: ManagedChannel;
  "own-topics": OwnTopic;
  views: SavedView;
  credentials: StoreCredential;
};

/** What is sent to create one, and to change it. */
export type Inputs = {
  apps: { created: AppInput; changed: AppChange };
  channels: { created: ChannelInput; changed: ChannelChange };
  "own-topics": { created: TopicInput; changed: TopicChange };
  views: { created: ViewInput; changed: ViewChange };
  /** A credential can't be changed. */
  credentials: { created: CredentialInput; changed: never };
};

/** Apps are listed as the read API does. */
export type Listed<Name extends keyof ManagedThings> = Name extends "apps"
  ? App
  : ManagedThings[Name];

export type WriteOptions = CallOptions & {
  /** Everything is checked, and nothing is done. */
  dryRun?: boolean;
  /** By default a new one, so that a call that is tried again is carried out once. */
  idempotencyKey?: string;
  /** The `etag` of what was read: the call throws `precondition_failed` when it was changed since. */
  ifMatch?: string;
};

/** A thing that was read or saved. */
export type Saved<Thing> = {
  thing: Thing;
  /** For `ifMatch`. */
  etag: string | null;
  warning: string | null;
  /** Of a webhook that was created. */
  secret: string | null;
};

/** With a key of the scope `manage`. */
export type Manager<Name extends keyof ManagedThings> = {
  list(options?: CallOptions): Promise<Listed<Name>[]>;
  get(id: string, options?: CallOptions): Promise<Saved<ManagedThings[Name]>>;
  create(
    input: Inputs[Name]["created"],
    options?: WriteOptions,
  ): Promise<Saved<ManagedThings[Name]>>;
  /** Fields that are left out stay as they are. */
  change(
    id: string,
    input: Inputs[Name]["changed"],
    options?: WriteOptions,
  ): Promise<Saved<ManagedThings[Name]>>;
  remove(id: string, options?: WriteOptions): Promise<void>;
};

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
  listEdits(query: EditQuery, options?: CallOptions): Promise<ReviewEdits>;
  /** The settings of the workspace: `manage("channels").create({ name, url })`. */
  manage<Name extends keyof ManagedThings>(name: Name): Manager<Name>;
  /** The whole set-up of the workspace as one document; secrets are placeholders. */
  getSetup(options?: CallOptions): Promise<Setup>;
  /** Brings the workspace to the state of a document, all of it or nothing; returns what was done, or would be. */
  applySetup(setup: Setup, options?: WriteOptions & { prune?: boolean }): Promise<SetupStep[]>;
  /** A new signing secret; until `oldSecretEndsAt`, `webhook-signature` carries the old one as well. */
  rotateChannelSecret(
    channel: string,
    options?: WriteOptions,
  ): Promise<{ secret: string; oldSecretEndsAt: string | null }>;
  /** Sends a sample event. */
  testChannel(channel: string, options?: WriteOptions): Promise<{ deliveryId: string }>;
  redeliver(delivery: string, options?: WriteOptions): Promise<{ queued: number }>;
  redeliverExpired(channel: string, options?: WriteOptions): Promise<{ queued: number }>;
};

/** @throws TypeError when the base URL or the key can't be right */
export function createClient(options: ClientOptions): StarpostClient {
  const send = createSend(options, (response) => response.json());
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
    manage: (name) => createManager(options, name),
    getSetup: async (call) => (await get<{ setup: Setup }>("setup", {}, call)).setup,
    applySetup: async (body, { prune, ...call } = {}) => {
      const sent = { ...call, body, query: { prune } };
      return (await sendWrite<{ steps: SetupStep[] }>(options, "POST", "setup", sent)).body.steps;
    },
    rotateChannelSecret: (id, call) =>
      write(options, "POST", `channels/${encodeURIComponent(id)}/rotate-secret`, call),
    testChannel: (id, call) =>
      write(options, "POST", `channels/${encodeURIComponent(id)}/test`, call),
    redeliver: (id, call) =>
      write(options, "POST", `deliveries/${encodeURIComponent(id)}/redeliver`, call),
    redeliverExpired: (id, call) =>
      write(options, "POST", `channels/${encodeURIComponent(id)}/redeliver-expired`, call),
  };
}

type Method = "POST" | "PATCH" | "DELETE";

async function write<Body>(
  options: ClientOptions,
  method: Method,
  path: string,
  call: WriteOptions = {},
): Promise<Body> {
  return (await sendWrite<Body>(options, method, path, call)).body;
}

function sendWrite<Body>(
  options: ClientOptions,
  method: Method,
  path: string,
  call: WriteOptions & { body?: object; query?: Params },
): Promise<Answer<Body>> {
  const headers: Record<string, string> = {
    "idempotency-key": call.idempotencyKey ?? uniqueName(),
  };
  if (call.ifMatch !== undefined) headers["if-match"] = call.ifMatch;
  const read = async (response: Response): Promise<Body> =>
    (response.status === 204 ? null : await response.json()) as Body;
  const send = createSend(options, read, { method, headers, body: call.body });
  return send(path, { ...call.query, dryRun: call.dryRun }, call);
}

/** Unique and not secret: Node 18 has no global `crypto`. */
function uniqueName(): string {
  const parts = Array.from({ length: 4 }, () => Math.random().toString(36).slice(2));
  return [Date.now().toString(36), ...parts].join("");
}

const nouns = {
  apps: "app",
  channels: "channel",
  "own-topics": "topic",
  views: "view",
  credentials: "credential",
} as const satisfies Record<keyof ManagedThings, string>;

function createManager<Name extends keyof ManagedThings>(
  options: ClientOptions,
  name: Name,
): Manager<Name> {
  type Thing = ManagedThings[Name];
  const noun = nouns[name];
  const pathOf = (id: string): string => `${name}/${encodeURIComponent(id)}`;
  const toSaved = ({ body, headers }: Answer<Record<string, unknown>>): Saved<Thing> => ({
    thing: body[noun] as Thing,
    etag: headers.get("etag"),
    warning: (body["warning"] ?? null) as string | null,
    secret: (body["secret"] ?? null) as string | null,
  });
  const read = createSend(
    options,
    async (response) => (await response.json()) as Record<string, unknown>,
  );
  return {
    list: async (call) => (await read(name, {}, call)).body[`${noun}s`] as Listed<Name>[],
    get: async (id, call) => toSaved(await read(pathOf(id), {}, call)),
    create: async (body, call) =>
      toSaved(await sendWrite(options, "POST", name, { ...call, body })),
    change: async (id, body, call) =>
      toSaved(await sendWrite(options, "PATCH", pathOf(id), { ...call, body })),
    remove: (id, call) => write(options, "DELETE", pathOf(id), call),
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
  const send = createSend(options, async ({ body }) => body);
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

type Written = { method: Method; headers: Record<string, string>; body: object | undefined };

function createSend<Body>(options: ClientOptions, read: Read<Body>, written?: Written): Send<Body> {
  const base = apiBase(options.baseUrl);
  if (!options.apiKey) throw new TypeError("apiKey is missing");
  const { retriesMax = 3, waitMaxMs = 65_000, timeoutMs = 30_000 } = options;
  const send = options.fetch ?? globalThis.fetch;
  const { method = "GET", body } = written ?? {};
  const headers = {
    ...{ authorization: `Bearer ${options.apiKey}`, accept: "application/json" },
    ...written?.headers,
    ...(body && { "content-type": "application/json" }),
  };

  return async (path, params, call = {}) => {
    const url = `${base}/${path}${queryText(params)}`;
    for (let tryCount = 1; ; tryCount++) {
      const mayRetry = tryCount <= retriesMax;
      const attempt = { method, url, headers, body, timeoutMs, signal: call.signal };
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
  method: string;
  url: string;
  headers: Record<string, string>;
  body: object | undefined;
  timeoutMs: number;
  signal: AbortSignal | undefined;
};

async function tryOnce<Body>(
  send: typeof fetch,
  { method, url, headers, body, timeoutMs, signal }: Attempt,
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
    const request = { method, headers, signal: controller.signal };
    const response = await send(url, body ? { ...request, body: JSON.stringify(body) } : request);
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
    return { error: new ConnectionError(`${method} ${url} failed`, { cause }), isPassing: true };
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
