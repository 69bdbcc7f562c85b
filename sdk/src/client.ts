// The API as typed calls: pages and whole lists of reviews, ratings, trends; and the set-up of the workspace.
import { ApiError } from "./errors.ts";
import { createManager, type ManagedThings, type Manager, type Saved, toSaved } from "./manager.ts";
import { type ExportQuery, eachReview, exportReviews, type PageQuery } from "./review-lists.ts";
import {
  type CallOptions,
  type ClientOptions,
  createSend,
  type Get,
  type Params,
  sendWrite,
  type WriteOptions,
  write,
} from "./transport.ts";
import type {
  App,
  Changes,
  ChangesQuery,
  EditQuery,
  ExportedReview,
  Feed,
  ListReviewsQuery,
  ManyReviewsWorkChange,
  NoteInput,
  OutcomeQuery,
  RatingDay,
  RatingHistoryQuery,
  RatingSummary,
  Release,
  ReplyDraft,
  ReplyInput,
  ReplyOutcomes,
  Review,
  ReviewEdits,
  ReviewNote,
  ReviewPage,
  ReviewReply,
  ReviewWork,
  ReviewWorkChange,
  Sentiment,
  Setup,
  SetupStep,
  TopicTickInput,
  TopicTicks,
  TrendQuery,
  Trends,
  Verdict,
  VerdictQuery,
  WholeReview,
} from "./types.ts";

export type SentimentLabel = Sentiment["label"];
/** The fields that `include` adds to a review. */
export type IncludedFields = Omit<WholeReview, keyof Review | "versions">;

/** Filters are combined with "and". Days are UTC, both inclusive. */
export type ReviewFilters = Omit<PageQuery, "limit" | "cursor">;
/** For callers that keep a copy: what was new, edited, analysed or translated since a moment. */
export type ChangeQuery = ListReviewsQuery & { updatedSince: string };
export type ChangePage = ReviewPage & {
  /** Every change before this moment is on this page or on one before it, unless there is a `nextCursor`. */
  updatedUntil: string;
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
