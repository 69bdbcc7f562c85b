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
  ManyReviewsWorkChange,
  NoteInput,
  OutcomeQuery,
  OwnTopic,
  RatingDay,
  RatingHistoryQuery,
  RatingSummary,
  Release,
  ReplyDraft,
  ReplyInput,
  ReplyOutcomes,
  ReplyTemplate,
  ReplyTemplateChange,
  ReplyTemplateInput,
  Review,
  ReviewEdits,
  ReviewNote,
  ReviewPage,
  ReviewReply,
  ReviewWork,
  ReviewWorkChange,
  SavedView,
  Sentiment,
  Setup,
  SetupStep,
  StoreCredential,
  TopicChange,
  TopicInput,
  TopicTickInput,
  TopicTicks,
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
  "reply-templates": ReplyTemplate;
  views: SavedView;
  credentials: StoreCredential;
};

/** What is sent to create one, and to change it. */
export type Inputs = {
  apps: { created: AppInput; changed: AppChange };
  channels: { created: ChannelInput; changed: ChannelChange };
  "own-topics": { created: TopicInput; changed: TopicChange };
  "reply-templates": { created: ReplyTemplateInput; changed: ReplyTemplateChange };
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
  /** Stars gained and lost after your answers, and without one; the last 28 days unless given. */
  getReplyOutcomes(query?: OutcomeQuery, options?: CallOptions): Promise<ReplyOutcomes>;
  getTrends(query: TrendQuery, options?: CallOptions): Promise<Trends>;
  /** The values of the `topic` filter. */
  listTopics(options?: CallOptions): Promise<string[]>;
  /** @throws ApiError `not_found` without such a review */
  getReview(query: { review: string }, options?: CallOptions): Promise<WholeReview>;
  /** @throws ApiError `not_found` for a version that no review of the app names */
  getVerdict(query: VerdictQuery, options?: CallOptions): Promise<Verdict>;
  /** @throws ApiError `not_found` without such a review */
  listEdits(query: EditQuery, options?: CallOptions): Promise<ReviewEdits>;
  /** Tags, assignee and state of a review, with a key of the scope `manage`. */
  getReviewWork(review: string, options?: CallOptions): Promise<Saved<ReviewWork>>;
  /** Tags, assigns or closes a review. Fields that are left out stay as they are. */
  changeReview(
    review: string,
    change: ReviewWorkChange,
    options?: WriteOptions,
  ): Promise<Saved<ReviewWork>>;
  /** The same change of up to 100 reviews, or of none. */
  changeReviews(
    change: ManyReviewsWorkChange,
    options?: WriteOptions,
  ): Promise<{ changedCount: number }>;
  listNotes(review: string, options?: CallOptions): Promise<ReviewNote[]>;
  addNote(note: NoteInput, options?: WriteOptions): Promise<Saved<ReviewNote>>;
  removeNote(note: string, options?: WriteOptions): Promise<void>;
  /** The answer to a review, with the one that the store has. `id` is that of the review. */
  getReply(review: string, options?: CallOptions): Promise<Saved<ReviewReply>>;
  draftReply(
    review: string,
    draft: ReplyDraft,
    options?: WriteOptions,
  ): Promise<Saved<ReviewReply>>;
  /** Answers a review in the store, in public. It is sent in the background: `state` says how far it is. */
  sendReply(review: string, reply: ReplyInput, options?: WriteOptions): Promise<Saved<ReviewReply>>;
  /**
   * The App Store removes the answer, which `replaces` quotes; for one of Google Play the call throws `conflict`. With
   * `takeBack`, what waits to be passed to the store is not sent, and nothing public changes.
   */
  withdrawReply(
    review: string,
    options?: WriteOptions & { replaces?: string | null; takeBack?: boolean },
  ): Promise<Saved<ReviewReply>>;
  /** Says whether a review has a topic of the workspace, which teaches the topic. */
  tickTopic(topic: string, tick: TopicTickInput, options?: WriteOptions): Promise<TopicTicks>;
  /** Reads an app's feeds, or those of one region, ahead of their time. */
  collectApp(
    app: string,
    options?: WriteOptions & { region?: string },
  ): Promise<{ feedCount: number }>;
  /** Queues the stored reviews of an app, or one of them, for the operator's translation provider. */
  translateApp(
    app: string,
    options?: WriteOptions & { review?: string },
  ): Promise<{ queued: number }>;
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
    getReplyOutcomes: (query = {}, call) => get("reply-outcomes", query, call),
    getTrends: (query, call) => get("trends", query, call),
    listTopics: async (call) => (await get<{ topics: string[] }>("topics", {}, call)).topics,
    getVerdict: ({ version, ...query }, call) =>
      get(`releases/${encodeURIComponent(version)}/verdict`, query, call),
    getReview: async ({ review }, call) => get(`reviews/${toUuid(review)}`, {}, call),
    listEdits: (query, call) => get("edits", query, call),
    getReviewWork: async (id, call) =>
      toSaved(await send(`reviews/${toUuid(id)}/work`, {}, call), "review"),
    changeReview: async (id, body, call) =>
      toSaved(
        await sendWrite(options, "PATCH", `reviews/${toUuid(id)}/work`, { ...call, body }),
        "review",
      ),
    changeReviews: (body, call) => write(options, "PATCH", "reviews/work", { ...call, body }),
    listNotes: async (id, call) =>
      (await get<{ notes: ReviewNote[] }>(`reviews/${toUuid(id)}/notes`, {}, call)).notes,
    addNote: async (body, call) =>
      toSaved(await sendWrite(options, "POST", "notes", { ...call, body }), "note"),
    removeNote: (id, call) => write(options, "DELETE", `notes/${encodeURIComponent(id)}`, call),
    getReply: async (id, call) => toSaved(await send(`replies/${toUuid(id)}`, {}, call), "reply"),
    draftReply: async (id, body, call) =>
      actOnReply(options, `${toUuid(id)}/draft`, { ...call, body }),
    sendReply: async (id, body, call) =>
      actOnReply(options, `${toUuid(id)}/send`, { ...call, body }),
    withdrawReply: async (id, { replaces, takeBack, ...call } = {}) =>
      actOnReply(options, `${toUuid(id)}/withdraw`, {
        ...call,
        body: {
          ...(replaces !== undefined && { replaces }),
          ...(takeBack !== undefined && { takeBack }),
        },
      }),
    tickTopic: (id, body, call) =>
      write(options, "POST", `own-topics/${encodeURIComponent(id)}/tick`, { ...call, body }),
    collectApp: (id, { region, ...call } = {}) =>
      write(options, "POST", `apps/${encodeURIComponent(id)}/collect`, {
        ...call,
        body: { region: region ?? null },
      }),
    translateApp: (id, { review, ...call } = {}) =>
      write(options, "POST", `apps/${encodeURIComponent(id)}/translate`, {
        ...call,
        body: { review: review ?? null },
      }),
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

async function actOnReply(
  options: ClientOptions,
  path: string,
  call: WriteOptions & { body: object },
): Promise<Saved<ReviewReply>> {
  return toSaved(await sendWrite(options, "POST", `replies/${path}`, call), "reply");
}

type Method = "POST" | "PATCH" | "DELETE";

async function write<Body>(
  options: ClientOptions,
  method: Method,
  path: string,
  call: WriteOptions & { body?: object } = {},
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
  "reply-templates": "template",
  views: "view",
  credentials: "credential",
} as const satisfies Record<keyof ManagedThings, string>;

function toSaved<Thing>({ body, headers }: Answer<unknown>, noun: string): Saved<Thing> {
  const answer = body as Record<string, unknown>;
  return {
    thing: answer[noun] as Thing,
    etag: headers.get("etag"),
    warning: (answer["warning"] ?? null) as string | null,
    secret: (answer["secret"] ?? null) as string | null,
  };
}

function createManager<Name extends keyof ManagedThings>(
  options: ClientOptions,
  name: Name,
): Manager<Name> {
  type Thing = ManagedThings[Name];
  const noun = nouns[name];
  const pathOf = (id: string): string => `${name}/${encodeURIComponent(id)}`;
  const toThing = (answer: Answer<unknown>) => toSaved<Thing>(answer, noun);
  const read = createSend(
    options,
    async (response) => (await response.json()) as Record<string, unknown>,
  );
  return {
    list: async (call) => (await read(name, {}, call)).body[`${noun}s`] as Listed<Name>[],
    get: async (id, call) => toThing(await read(pathOf(id), {}, call)),
    create: async (body, call) =>
      toThing(await sendWrite(options, "POST", name, { ...call, body })),
    change: async (id, body, call) =>
      toThing(await sendWrite(options, "PATCH", pathOf(id), { ...call, body })),
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
