// Made from the OpenAPI document by npm run generate
// biome-ignore-all format: the lines are as they are written.

export type AlertEvent = {
  event: "reviews.spike" | "release.worse" | "storefront.failing";
  /** Identifier of the webhook channel. */
  channelId: string;
  channelName: string;
  /** null where the app was removed meanwhile. */
  app: EventApp | null;
  /** Failures and rises, one sentence each. */
  lines: string[];
};

export type App = {
  /** Identifier of an app. */
  id: string;
  name: string;
  store: Store;
  /** The app's identifier inside its store. */
  externalAppId: string;
  /** URL of the icon; empty until it was read from the store. */
  appIcon: string;
};

export type AppChange = {
  /** The name to show; null for the store's name. */
  name?: string | null | undefined;
  /** Storefronts that are read, such as `us`, or `["all"]`; the store's defaults without it. */
  countries?: string[] | undefined;
  /** Google Play: languages that are read; the defaults without it. */
  languages?: string[] | undefined;
};

export type AppCollectionInput = {
  /** Only this storefront or, on Google Play, this language; null for all. */
  region?: string | null | undefined;
};

export type AppInput = {
  /** The store that the app is sold in. */
  store: "appstore" | "googleplay" | "firefoxaddons";
  /** The app's identifier inside its store. */
  externalAppId: string;
  /** The name to show; null for the store's name. */
  name?: string | null | undefined;
  /** Storefronts that are read, such as `us`, or `["all"]`; the store's defaults without it. */
  countries?: string[] | null | undefined;
  /** Google Play: languages that are read; the defaults without it. */
  languages?: string[] | null | undefined;
  /** A storefront that sells the app: followed before the store's defaults. */
  foundIn?: string | null | undefined;
  /** false: nothing is read from the store, the app holds imports only. */
  isCollected?: boolean | undefined;
  /** The store credential to read the reviews with, in place of the public pages. */
  credentialId?: string | null | undefined;
};

export type AppTranslationInput = {
  /** Only the review with this id; null for all. */
  review?: string | null | undefined;
};

export type ChangedReviews = {
  /** How many of them differ now. */
  changedCount: number;
};

export type Changes = {
  kind: "day" | "week" | "release";
  app: EventApp;
  version: string | null;
  range: DayRange;
  baseline: DayRange | null;
  reviews: {
    total: number;
    expected: number | null;
    averageRating: number | null;
    averageRatingBefore: number | null;
    negative: number;
    repeated: number;
    read: number;
  };
  spikes: ({
    subject: "reviews" | "fewer" | "rating" | "negative" | "topic" | "language" | "version";
    value: string;
    count: number;
    total: number;
    expected: number;
    sentence: string;
  })[];
  newPhrases: ({
    phrase: string;
    language: string;
    count: number;
    countBefore: number;
    reviewIds: string[];
    sentence: string;
  })[];
  duplicates: ({
    text: string;
    count: number;
    reviewIds: string[];
    sentence: string;
  })[];
  quotes: ({
    reviewId: string;
    rating: number;
    text: string;
    date: string;
    version: string;
    language: string;
    country: string;
    sentiment: "positive" | "neutral" | "negative" | "mixed" | null;
    topics: string[];
    mentions: string[];
  })[];
  sentences: string[];
};

export type ChannelChange = {
  /** The events that are sent. */
  events?: string[] | undefined;
  /** Identifiers of apps; null for all. */
  apps?: string[] | null | undefined;
  /** Star ratings; null for all. */
  stars?: number[] | null | undefined;
  /** Topics, any of which a review must have; null for all reviews. */
  topics?: string[] | null | undefined;
  /** Further filters, as search parameters of the Reviews page; null without any. */
  filter?: string | null | undefined;
  /** The id or name of a saved view whose filters apply instead of these; null for none. */
  view?: string | null | undefined;
  /** Whether a translation is sent along. */
  translate?: boolean | undefined;
  /** Rating drops: stars that the average must have fallen by. */
  dropThreshold?: number | undefined;
  /** Rating drops: the days over which the average fell. */
  periodDays?: number | undefined;
  /** Rating drops: ratings that both averages must have. */
  minSampleSize?: number | undefined;
  /** Its name for people. */
  name?: string | undefined;
  /** `webhook` without it. It stays as it is. */
  type?: "webhook" | "slack" | "discord" | "teams" | "telegram" | "email" | "http" | undefined;
  /** Webhook, Slack, Discord, Teams: where messages go. A URL that is a secret is shown in part. */
  url?: string | undefined;
  /** HTTP: lines like `Name: value`. They are never shown. */
  headers?: string | undefined;
  /** Telegram: the token of the bot. HTTP: the value of `{{token}}`. It is never shown. */
  token?: string | undefined;
  /** Telegram: the chat's id or @name. */
  chat?: string | undefined;
  /** E-mail: addresses with commas. */
  to?: string | undefined;
  /** HTTP: method, template of the body, and the statuses that mean done or gone. */
  request?: HttpRequest | undefined;
  /** Other types than webhooks: null for each event, else how often a digest is sent. */
  digest?: "daily" | "weekly" | null | undefined;
  /** When a digest is sent. */
  digestAt?: string | undefined;
  /** The time zone of `digestAt`. */
  timeZone?: string | undefined;
  /** Whether nothing is sent for now. */
  isPaused?: boolean | undefined;
};

export type ChannelFailingEvent = {
  event: "channel.failing";
  /** Identifier of the webhook channel. */
  channelId: string;
  channelName: string;
  /** Always null: a channel is not of one app. */
  app: EventApp | null;
  /** The channel that fails. */
  failing: {
    id: string;
    name: string;
  };
  /** Failures and rises, one sentence each. */
  lines: string[];
};

export type ChannelInput = {
  /** The events that are sent. */
  events?: string[] | undefined;
  /** Identifiers of apps; null for all. */
  apps?: string[] | null | undefined;
  /** Star ratings; null for all. */
  stars?: number[] | null | undefined;
  /** Topics, any of which a review must have; null for all reviews. */
  topics?: string[] | null | undefined;
  /** Further filters, as search parameters of the Reviews page; null without any. */
  filter?: string | null | undefined;
  /** The id or name of a saved view whose filters apply instead of these; null for none. */
  view?: string | null | undefined;
  /** Whether a translation is sent along. */
  translate?: boolean | undefined;
  /** Rating drops: stars that the average must have fallen by. */
  dropThreshold?: number | undefined;
  /** Rating drops: the days over which the average fell. */
  periodDays?: number | undefined;
  /** Rating drops: ratings that both averages must have. */
  minSampleSize?: number | undefined;
  /** Its name for people. */
  name: string;
  /** `webhook` without it. It stays as it is. */
  type?: "webhook" | "slack" | "discord" | "teams" | "telegram" | "email" | "http" | undefined;
  /** Webhook, Slack, Discord, Teams: where messages go. A URL that is a secret is shown in part. */
  url?: string | undefined;
  /** HTTP: lines like `Name: value`. They are never shown. */
  headers?: string | undefined;
  /** Telegram: the token of the bot. HTTP: the value of `{{token}}`. It is never shown. */
  token?: string | undefined;
  /** Telegram: the chat's id or @name. */
  chat?: string | undefined;
  /** E-mail: addresses with commas. */
  to?: string | undefined;
  /** HTTP: method, template of the body, and the statuses that mean done or gone. */
  request?: HttpRequest | undefined;
  /** Other types than webhooks: null for each event, else how often a digest is sent. */
  digest?: "daily" | "weekly" | null | undefined;
  /** When a digest is sent. */
  digestAt?: string | undefined;
  /** The time zone of `digestAt`. */
  timeZone?: string | undefined;
  /** Whether nothing is sent for now. */
  isPaused?: boolean | undefined;
};

export type CollectedApp = {
  /** How many feeds are due now. */
  feedCount: number;
};

export type CredentialInput = {
  /** The store of the account. */
  store: "appstore" | "googleplay";
  /** Its name for people. */
  name: string;
  /** The content of the key file: Apple's .p8, Google's JSON. It is never shown. */
  keyFile: string;
  /** App Store: the id of the key. */
  keyId?: string | null | undefined;
  /** App Store: the id of the issuer; null for the key of one person. */
  issuerId?: string | null | undefined;
  /** Google Play: the bucket of the Play Console's reports. */
  bucket?: string | null | undefined;
};

export type DayRange = {
  from: string;
  to: string;
};

export type EventApp = {
  /** Identifier of the app. */
  id: string;
  name: string;
  store: Store;
};

export type EventChange = {
  oldScore: number;
  newScore: number;
  ratingChanged: boolean;
  textChanged: boolean;
  /** The change in words. */
  headline: string;
};

export type EventReview = {
  /** Stable for the life of the review. */
  id: string;
  store: Store;
  rating: number;
  /** null for stores without review titles, such as googleplay. */
  title: string | null;
  /** Always the untranslated original. */
  text: string;
  /** Not null only when translation is on for the channel and the review was not already English. */
  translatedText: string | null;
  /** A language code, under the same condition as translatedText. */
  translatedFrom: string | null;
  author: string;
  version: string;
  /** Storefront region for stores other than googleplay, `001` where a store has none; detected language for googleplay. */
  country: string;
  /** ISO 8601 in UTC. */
  date: string;
};

export type ExportedReview = {
  /** Stable for the life of the review. */
  id: string;
  store: Store;
  /** The app's identifier inside its store. */
  externalAppId: string;
  /** Empty when the store does not say. */
  author: string;
  /** Stars. */
  rating: number;
  /** null for stores without review titles, such as googleplay. */
  title: string | null;
  /** The original text. */
  text: string;
  /** The stored translation, if one was made. */
  translatedText: string | null;
  /** Source language code of the translation. */
  translatedFrom: string | null;
  /** App version the review refers to; empty when the store does not say. */
  version: string;
  /** Lower case. Storefront region; detected language for googleplay (`und` when it is unknown), and `001`, the world, for a store without storefronts. */
  country: string;
  /** ISO 8601 in UTC; milliseconds only where the store gives them. */
  date: string;
  /** null while the review is not analysed, and for a review without text. */
  sentiment: Sentiment | null;
  /** Empty while the review is not analysed, and for a review without text. */
  topics: string[];
  /** The developer's public reply. */
  reply?: Reply | null | undefined;
  /** What it is written in; null while it is not analysed. */
  language?: string | null | undefined;
  /** When Starpost saw the last edit. */
  editedAt?: string | null | undefined;
  /** Since when the store no longer shows it, as far as its lists tell. */
  removedAt?: string | null | undefined;
  /** Why a copy should drop it: the store no longer shows it, or it was erased here for its author and has no content left. */
  removed?: "by_store" | "erased" | null | undefined;
  /** As the store's official API names it. */
  device?: string | null | undefined;
  /** Users who found it helpful. */
  votes?: number | null | undefined;
  /** The store's own id; empty once it was erased. */
  storeId: string;
  /** Where the store shows it, or the reviews of its app. */
  url?: string | undefined;
  /** Those of its `topics` that the workspace defines itself. */
  ownTopics?: string[] | undefined;
  /** On each topic, from -1 to 1; null where the analysis gives none. */
  opinions?: Record<string, number> | null | undefined;
  /** With `updatedSince` only: when it changed, to the microsecond. The greatest of a run is the next `updatedSince` of programs that can't read the header. */
  changedAt?: string | undefined;
  /** Pass it to go on behind this row. */
  cursor: string;
};

export type Feed = {
  kind: "reviews" | "ratings";
  /** A storefront, or for reviews of googleplay the language of a list; `001` is the one list of a store without storefronts. */
  region: string;
  /** The store's public pages, or its API through your account. */
  source: "public" | "official";
  /** The outcome of the last reading: `ok`, `empty` as the store confirmed, `unknown` for a gap or a failure; null before the first. */
  outcome: "ok" | "empty" | "unknown" | null;
  /** When it was last read. */
  checkedAt: string | null;
  /** When it was last read with success. */
  goodAt: string | null;
  /** ISO 8601 in UTC; milliseconds only where the store gives them. */
  nextDueAt: string;
  /** When everything that the store shows was read first; null before. */
  completeSince: string | null;
  /** In words; null while nothing is. */
  missing: string | null;
};

/** Number of ratings per star. */
export type Histogram = {
  1: number;
  2: number;
  3: number;
  4: number;
  5: number;
};

export type HttpRequest = {
  method: "POST" | "PUT" | "PATCH";
  body: string;
  update?: HttpRequestUpdate | undefined;
  idAt?: string | undefined;
  errorAt?: string | undefined;
  done?: number[] | undefined;
  gone?: number[] | undefined;
  headingMax?: number | undefined;
  textBytesMax?: number | undefined;
};

export type HttpRequestUpdate = {
  method: "POST" | "PUT" | "PATCH";
  path: string;
  body: string;
};

export type ImportReading = {
  rows: number;
  /** By field, the columns that it was read from. */
  fields: Record<string, string[]>;
  /** Columns that name the app of a row. */
  app: string[];
  /** Columns that were not read; `values` is null for more than 20. */
  notRead: ({
    column: string;
    values: number | null;
  })[];
  /** The zone of times without one. */
  assumed: {
    rows: number;
    zone: string;
  } | null;
  /** Words that were read as nothing. */
  emptied: ({
    rows: number;
    cell: string;
  })[];
  /** Rows whose id was made of their content. */
  madeIds: number;
  /** Those of them whose content another row has. */
  alike: number;
  /** Rows with the id of another row. */
  merged: number;
  /** What only a person knows. */
  questions: ({
    kind: "app" | "ids" | "alike";
    column: string | null;
    values?: string[] | undefined;
    /** In words; `--only` is the parameter `only`, and so on. */
    sentence: string;
  })[];
};

export type ImportResult = {
  inserted: number;
  updated: number;
  unchanged: number;
  /** Those kept as earlier versions. */
  earlierVersions?: number | undefined;
  /** Rejected rows that are stars without a review. */
  starsOnly?: number | undefined;
  /** Rows that `only` left out. */
  skipped?: number | undefined;
  /** Deliveries that were queued. */
  queued: number;
  rejectedCount: number;
  /** The first 1,000 of them. */
  rejected: ImportRow[];
  warningCount?: number | undefined;
  /** Rows with values that were left out. */
  warnings?: ImportRow[] | undefined;
  reading?: ImportReading | undefined;
  /** Of a dry run: needed fields, and the columns of the file that may hold them. */
  missing?: {
    fields: string[];
    columns: string[];
  } | undefined;
  /** The import ended early or did not begin. What it counts was saved. */
  stopped?: {
    reason: string;
  } | undefined;
};

export type ImportRow = {
  line: number;
  reason: string;
};

export type ListedReview = {
  /** Stable for the life of the review. */
  id: string;
  store: Store;
  /** The app's identifier inside its store. */
  externalAppId: string;
  /** Empty when the store does not say. */
  author: string;
  /** Stars. */
  rating: number;
  /** null for stores without review titles, such as googleplay. */
  title: string | null;
  /** The original text. */
  text: string;
  /** The stored translation, if one was made. */
  translatedText: string | null;
  /** Source language code of the translation. */
  translatedFrom: string | null;
  /** App version the review refers to; empty when the store does not say. */
  version: string;
  /** Lower case. Storefront region; detected language for googleplay (`und` when it is unknown), and `001`, the world, for a store without storefronts. */
  country: string;
  /** ISO 8601 in UTC; milliseconds only where the store gives them. */
  date: string;
  /** null while the review is not analysed, and for a review without text. */
  sentiment: Sentiment | null;
  /** Empty while the review is not analysed, and for a review without text. */
  topics: string[];
  /** The developer's public reply. */
  reply?: Reply | null | undefined;
  /** What it is written in; null while it is not analysed. */
  language?: string | null | undefined;
  /** When Starpost saw the last edit. */
  editedAt?: string | null | undefined;
  /** Since when the store no longer shows it, as far as its lists tell. */
  removedAt?: string | null | undefined;
  /** Why a copy should drop it: the store no longer shows it, or it was erased here for its author and has no content left. */
  removed?: "by_store" | "erased" | null | undefined;
  /** As the store's official API names it. */
  device?: string | null | undefined;
  /** Users who found it helpful. */
  votes?: number | null | undefined;
  /** The store's own id; empty once it was erased. */
  storeId?: string | undefined;
  /** Where the store shows it, or the reviews of its app. */
  url?: string | undefined;
  /** Those of its `topics` that the workspace defines itself. */
  ownTopics?: string[] | undefined;
  /** On each topic, from -1 to 1; null where the analysis gives none. */
  opinions?: Record<string, number> | null | undefined;
  /** With `updatedSince` only: when it changed, to the microsecond. The greatest of a run is the next `updatedSince` of programs that can't read the header. */
  changedAt?: string | undefined;
};

export type LoggedDelivery = {
  id: string;
  channelId: string;
  appId: string | null;
  reviewId: string | null;
  event: string;
  isTest: boolean;
  status: "pending" | "delivered" | "expired" | "cancelled";
  createdAt: string;
  /** The next attempt of a pending delivery. */
  dueAt: string;
  attemptCount: number;
  finishedAt: string | null;
  /** HTTP status of the last attempt. */
  lastStatus: number | null;
  /** Why the last attempt failed. */
  lastReason: string | null;
};

export type ManagedApp = {
  /** Identifier of the app. */
  id: string;
  /** The store that the app is sold in. */
  store: "appstore" | "googleplay" | "firefoxaddons";
  /** The app's identifier inside its store. */
  externalAppId: string;
  /** The name that is shown. */
  name: string;
  /** Storefronts that are read. */
  countries: string[];
  /** Google Play: languages that are read. */
  languages: string[];
  /** false: nothing is read from the store, the app holds imports only. */
  isCollected: boolean;
  /** The store credential to read the reviews with, in place of the public pages. */
  credentialId: string | null;
  /** When the app was added. */
  addedAt: string;
};

export type ManagedChannel = {
  /** Identifier of the channel; `channelId` of its deliveries. */
  id: string;
  /** The events that are sent. */
  events: string[];
  /** Identifiers of apps; null for all. */
  apps: string[] | null;
  /** Star ratings; null for all. */
  stars: number[] | null;
  /** Topics, any of which a review must have; null for all reviews. */
  topics: string[] | null;
  /** Further filters, as search parameters of the Reviews page; null without any. */
  filter: string | null;
  /** The id or name of a saved view whose filters apply instead of these; null for none. */
  view: string | null;
  /** Whether a translation is sent along. */
  translate: boolean;
  /** Rating drops: stars that the average must have fallen by. */
  dropThreshold: number;
  /** Rating drops: the days over which the average fell. */
  periodDays: number;
  /** Rating drops: ratings that both averages must have. */
  minSampleSize: number;
  /** Its name for people. */
  name: string;
  /** `webhook` without it. It stays as it is. */
  type: "webhook" | "slack" | "discord" | "teams" | "telegram" | "email" | "http";
  /** Webhook, Slack, Discord, Teams: where messages go. A URL that is a secret is shown in part. */
  url?: string | undefined;
  /** Telegram: the chat's id or @name. */
  chat?: string | undefined;
  /** E-mail: addresses with commas. */
  to?: string | undefined;
  /** HTTP: method, template of the body, and the statuses that mean done or gone. */
  request?: HttpRequest | undefined;
  /** Other types than webhooks: null for each event, else how often a digest is sent. */
  digest: "daily" | "weekly" | null;
  /** When a digest is sent. */
  digestAt: string;
  /** The time zone of `digestAt`. */
  timeZone: string;
  /** Whether nothing is sent for now. */
  isPaused: boolean;
  /** When the channel was created. */
  createdAt: string;
  /** Since when every attempt has failed; null while the endpoint answers. */
  failingSince: string | null;
  /** The last failure in words; null while the endpoint answers. */
  failingReason: string | null;
};

export type ManyReviewsWorkChange = {
  /** Tags that the review gets. */
  addedTags?: string[] | undefined;
  /** Tags that it loses. */
  removedTags?: string[] | undefined;
  /** The e-mail address or the id of a member; null takes the review from its assignee. */
  assignee?: string | null | undefined;
  /** true: it needs no more work. */
  isDone?: boolean | undefined;
  /** Ids of reviews. */
  reviews: string[];
};

export type NoteInput = {
  /** The id of the review. */
  review: string;
  /** What the workspace has to know of the review. */
  text: string;
};

export type OwnTopic = {
  /** Identifier of the topic. */
  id: string;
  /** Lower case, with `_` between words. It stays as it is. */
  name: string;
  /** Phrases of reviews with the topic; one that begins with `-` is excluded. */
  phrases: string[];
  /** When the topic was created. */
  createdAt: string;
};

export type RatingDay = {
  /** A UTC day. */
  day: string;
  /** The storefront; null for all that the app follows together. */
  region: string | null;
  /** All-time average, at most 4 decimals. */
  average: number;
  /** Number of ratings; null where a Play Console export had the average alone. */
  total: number | null;
  histogram: Histogram | null;
};

export type RatingDrop = {
  currentAvg: number;
  baselineAvg: number;
  /** Baseline minus current, in stars, 2 decimals. */
  drop: number;
  sampleSize: number;
  baselineSampleSize: number;
  periodDays: number;
};

export type RatingDropEvent = {
  event: "review.rating_drop";
  /** Identifier of the webhook channel. */
  channelId: string;
  channelName: string;
  app: EventApp;
  ratingDrop: RatingDrop;
};

export type RatingSummary = {
  app: {
    /** Identifier of an app. */
    id: string;
    store: Store;
    /** The app's identifier inside its store. */
    externalAppId: string;
  };
  rating: {
    /** All-time average, at most 4 decimals. */
    average: number;
    /** Total number of ratings. */
    total: number;
    histogram: Histogram;
    /** Day of the latest daily snapshot. */
    capturedOn: string;
  };
};

export type Release = {
  version: string;
  /** Day of the oldest review that names it. */
  firstSeen: string;
  /** All reviews from that day on, up to the next release or for 28 days. */
  reviews: ReviewCounts;
  /** All reviews of the 84 days before, as far as every feed has reviews; null without such days. */
  before: ReviewCounts | null;
  /** The five most frequent of `reviews`, without topics of your own. */
  topTopics: TopicCount[];
};

export type Reply = {
  text: string;
  at: string | null;
};

export type ReplyDraft = {
  /** The text; "" discards what was kept. */
  draft: string;
};

export type ReplyInput = {
  /** The answer, which the store shows to everyone, in plain text. */
  text: string;
  /** The public answer of the review, as you read it. Without it, nothing is sent to a review that has one. */
  replaces?: string | null | undefined;
  /** The date of the review as you read it: one that was changed since is not answered. */
  reviewDate?: string | undefined;
};

export type ReplyOutcomes = {
  /** Reviews that were read again since. */
  count: number;
  /** Those that have more stars than then. */
  gained: number;
  /** Those that have fewer. */
  lost: number;
  /** Half of the answers came within so many seconds of the review; null without one. */
  medianSeconds: number | null;
  /** The same of reviews without an answer: it says nothing of causes. */
  unanswered: {
    /** Reviews that were read again since. */
    count: number;
    /** Those that have more stars than then. */
    gained: number;
    /** Those that have fewer. */
    lost: number;
  };
};

export type ReplyTemplate = {
  /** Identifier of the template. */
  id: string;
  /** Its name. */
  name: string;
  /** The text, with the fields {author}, {app} and {version}. */
  text: string;
  /** Whether it tells a language model how answers sound. */
  isTone: boolean;
};

export type ReplyTemplateChange = {
  /** Its name; the names of a workspace's templates differ. */
  name?: string | undefined;
  /** The text, with the fields {author}, {app} and {version}. */
  text?: string | undefined;
  /** It tells a language model how answers sound, and is not a text to send. */
  isTone?: boolean | undefined;
};

export type ReplyTemplateInput = {
  /** Its name; the names of a workspace's templates differ. */
  name: string;
  /** The text, with the fields {author}, {app} and {version}. */
  text: string;
  /** It tells a language model how answers sound, and is not a text to send. */
  isTone?: boolean | undefined;
};

export type ReplyWithdrawal = {
  /** The public answer that is withdrawn, as you read it. */
  replaces?: string | null | undefined;
  /** Instead, take back what waits to be passed to the store; refused when nothing waits. */
  takeBack?: boolean | undefined;
};

export type Review = {
  /** Stable for the life of the review. */
  id: string;
  store: Store;
  /** The app's identifier inside its store. */
  externalAppId: string;
  /** Empty when the store does not say. */
  author: string;
  /** Stars. */
  rating: number;
  /** null for stores without review titles, such as googleplay. */
  title: string | null;
  /** The original text. */
  text: string;
  /** The stored translation, if one was made. */
  translatedText: string | null;
  /** Source language code of the translation. */
  translatedFrom: string | null;
  /** App version the review refers to; empty when the store does not say. */
  version: string;
  /** Lower case. Storefront region; detected language for googleplay (`und` when it is unknown), and `001`, the world, for a store without storefronts. */
  country: string;
  /** ISO 8601 in UTC; milliseconds only where the store gives them. */
  date: string;
  /** null while the review is not analysed, and for a review without text. */
  sentiment: Sentiment | null;
  /** Empty while the review is not analysed, and for a review without text. */
  topics: string[];
};

export type ReviewCounts = {
  /** A UTC day. */
  from: string;
  /** A UTC day. */
  to: string;
  total: number;
  /** 2 decimals; null without reviews. */
  averageRating: number | null;
  ratings: Histogram;
  sentiment: {
    positive: number;
    neutral: number;
    negative: number;
    mixed: number;
  };
};

export type ReviewCreatedEvent = {
  event: "review.created";
  /** Identifier of the webhook channel. */
  channelId: string;
  channelName: string;
  app: EventApp;
  review: EventReview;
};

export type ReviewEdits = {
  /** The review as it is now. */
  review: Review;
  /** As it was before each edit, oldest first; empty without any. */
  edits: ReviewVersion[];
};

export type ReviewNote = {
  /** Identifier of the note. */
  id: string;
  /** The id of the review. */
  review: string;
  /** Name of the author; null when the account is gone. */
  author: string | null;
  /** The text. */
  text: string;
  /** When it was written. */
  createdAt: string;
};

export type ReviewPage = {
  reviews: ListedReview[];
  /** Pass it back as `cursor`; null on the last page. */
  nextCursor: string | null;
  /** With `updatedSince` only: the same as the header `Updated-Until`. */
  updatedUntil?: string | undefined;
};

export type ReviewReply = {
  /** Identifier of the review. */
  id: string;
  /** Identifier of the app. */
  app: string;
  /** How far the answer is. */
  state: "unanswered" | "draft" | "sending" | "waiting" | "published" | "refused" | "outdated" | "withdrawn" | "elsewhere";
  /** Why it is in that state, in words; null where the state says it. */
  reason: string | null;
  /** A text that was not sent. */
  draft: string | null;
  /** The text that was sent last. */
  text: string | null;
  /** Who sent it. */
  author: string | null;
  /** When it was sent. */
  sentAt: string | null;
  /** When the store took the first answer of Starpost. */
  publishedAt: string | null;
  /** The answer that the store has, also one that was written elsewhere. */
  publicText: string | null;
  /** The store's date of it. */
  publicAt: string | null;
  /** Why the review can't be answered, in words; null when it can. */
  fault: string | null;
  /** How many characters the store takes. */
  charactersMax: number | null;
  /** Whether the store can withdraw an answer. */
  canWithdraw: boolean;
};

export type ReviewUpdatedEvent = {
  event: "review.updated";
  /** Identifier of the webhook channel. */
  channelId: string;
  channelName: string;
  app: EventApp;
  review: EventReview;
  change: EventChange;
};

export type ReviewVersion = {
  /** Stars. */
  rating: number;
  title: string | null;
  text: string;
  version: string;
  /** ISO 8601 in UTC; milliseconds only where the store gives them. */
  date: string;
  /** When Starpost saw the edit. */
  replacedAt: string;
};

export type ReviewWork = {
  /** Identifier of the review. */
  id: string;
  /** Tags of the workspace. */
  tags: string[];
  /** The member who looks after it. */
  assignee: {
    userId: string;
    name: string;
  } | null;
  /** Whether it needs no more work. */
  isDone: boolean;
  /** How many notes it has. */
  noteCount: number;
};

export type ReviewWorkChange = {
  /** Replaces all tags. Two who work on one review at once send the next two fields instead. */
  tags?: string[] | undefined;
  /** Tags that the review gets. */
  addedTags?: string[] | undefined;
  /** Tags that it loses. */
  removedTags?: string[] | undefined;
  /** The e-mail address or the id of a member; null takes the review from its assignee. */
  assignee?: string | null | undefined;
  /** true: it needs no more work. */
  isDone?: boolean | undefined;
};

export type RotatedSecret = {
  /** Webhooks: what their deliveries are signed with. */
  secret: string;
  oldSecretEndsAt: string | null;
};

export type SavedView = {
  /** Identifier of the view. */
  id: string;
  /** Its name; a view of the same name is replaced. */
  name: string;
  /** Search parameters of the Reviews page, such as `rating=1,2&sentiment=negative`. */
  query: string;
};

export type Sentiment = {
  label: "positive" | "neutral" | "negative" | "mixed";
  /** From -1 (negative) to 1 (positive). */
  score: number;
};

export type Setup = {
  /** The name of the workspace. */
  workspace?: string | undefined;
  /** The apps that are followed. */
  apps?: SetupApp[] | undefined;
  /** Saved views of the Reviews page. In `query`, an app is written STORE/ID. */
  views?: SetupView[] | undefined;
  /** Channels by name. A secret is written `env:NAME` or `file:PATH`. */
  channels?: SetupChannel[] | undefined;
  /** Roles of people who are members already. */
  members?: SetupMember[] | undefined;
  /** Topics of the workspace's own. */
  topics?: TopicInput[] | undefined;
};

export type SetupApp = {
  /** The store that the app is sold in. */
  store: "appstore" | "googleplay" | "firefoxaddons";
  /** The app's identifier inside its store. */
  externalAppId: string;
  /** The name to show; null for the store's name. */
  name?: string | null | undefined;
  /** Storefronts that are read, such as `us`, or `["all"]`; the store's defaults without it. */
  countries?: string[] | null | undefined;
  /** Google Play: languages that are read; the defaults without it. */
  languages?: string[] | null | undefined;
  /** false: nothing is read from the store, the app holds imports only. */
  isCollected?: boolean | undefined;
  /** The name of a store credential. */
  credential?: string | undefined;
};

export type SetupChannel = {
  /** The events that are sent. */
  events?: string[] | undefined;
  /** Apps, written STORE/ID; null for all. */
  apps?: string[] | null | undefined;
  /** Star ratings; null for all. */
  stars?: number[] | null | undefined;
  /** Topics, any of which a review must have; null for all reviews. */
  topics?: string[] | null | undefined;
  /** Further filters, as search parameters of the Reviews page; null without any. */
  filter?: string | null | undefined;
  /** The id or name of a saved view whose filters apply instead of these; null for none. */
  view?: string | null | undefined;
  /** Whether a translation is sent along. */
  translate?: boolean | undefined;
  /** Rating drops: stars that the average must have fallen by. */
  dropThreshold?: number | undefined;
  /** Rating drops: the days over which the average fell. */
  periodDays?: number | undefined;
  /** Rating drops: ratings that both averages must have. */
  minSampleSize?: number | undefined;
  /** Its name for people. */
  name: string;
  /** `webhook` without it. It stays as it is. */
  type?: "webhook" | "slack" | "discord" | "teams" | "telegram" | "email" | "http" | undefined;
  /** Webhook, Slack, Discord, Teams: where messages go. A URL that is a secret is shown in part. */
  url?: string | undefined;
  /** HTTP: lines like `Name: value`. They are never shown. */
  headers?: string | undefined;
  /** Telegram: the token of the bot. HTTP: the value of `{{token}}`. It is never shown. */
  token?: string | undefined;
  /** Telegram: the chat's id or @name. */
  chat?: string | undefined;
  /** E-mail: addresses with commas. */
  to?: string | undefined;
  /** HTTP: method, template of the body, and the statuses that mean done or gone. */
  request?: HttpRequest | undefined;
  /** Other types than webhooks: null for each event, else how often a digest is sent. */
  digest?: "daily" | "weekly" | null | undefined;
  /** When a digest is sent. */
  digestAt?: string | undefined;
  /** The time zone of `digestAt`. */
  timeZone?: string | undefined;
  /** Whether nothing is sent for now. */
  isPaused?: boolean | undefined;
};

export type SetupMember = {
  email: string;
  role: "owner" | "member" | "viewer";
};

export type SetupStep = {
  action: "create" | "change" | "remove" | "skip";
  /** The noun, such as `channel`. */
  kind: string;
  name: string;
  /** The fields that a change sets. */
  fields: string[];
};

export type SetupView = {
  /** Its name; a view of the same name is replaced. */
  name: string;
  /** Search parameters of the Reviews page, such as `rating=1,2&sentiment=negative`. */
  query: string;
};

/** The store an app is sold in. */
export type Store = "appstore" | "googleplay" | "firefoxaddons";

export type StoreCredential = {
  /** Identifier of the credential. */
  id: string;
  /** The store of the account. */
  store: "appstore" | "googleplay";
  /** Its name for people. */
  name: string;
  /** Its name at the store: a key id, or the address of a service account. */
  subject: string;
  /** When the credential was added. */
  createdAt: string;
};

export type TestedChannel = {
  deliveryId: string;
};

export type TopicChange = {
  /** Phrases of reviews with the topic; one that begins with `-` is excluded. */
  phrases?: string[] | undefined;
};

export type TopicCount = {
  topic: string;
  count: number;
};

export type TopicInput = {
  /** Lower case, with `_` between words. It stays as it is. */
  name: string;
  /** Phrases of reviews with the topic; one that begins with `-` is excluded. */
  phrases: string[];
};

export type TopicTickInput = {
  /** The id of the review. */
  review: string;
  /** Whether the review has the topic. */
  isRight: boolean;
};

export type TopicTicks = {
  /** Ticks of the topic that say right. */
  rightCount: number;
  /** Ticks that say wrong. */
  wrongCount: number;
};

export type TranslatedApp = {
  /** How many reviews are queued that were not before, in the background. */
  queued: number;
};

export type Trends = {
  /** Every week of the range, oldest first. */
  weekly: Week[];
  totals: {
    total: number;
    analyzed: number;
  };
  /** Always five items, 1 to 5 stars. */
  ratingDistribution: ({
    /** Stars. */
    score: number;
    count: number;
  })[];
  /** The ten most frequent: by count, then by name. */
  topTopics: TopicCount[];
};

export type Verdict = {
  app: EventApp;
  version: string;
  /** The day on which a review first named the version. */
  firstDay: string;
  result: "worse" | "fine" | "undecided";
  /** The result, and whether a later release fixed a `worse` one. */
  outcome: "worse" | "not_fixed" | "fixed" | "better" | "fine" | "too_early";
  /** The evidence in words, or the reason for a missing verdict. */
  words: string;
  /** Whether `undecided` has another reason than too little evidence: `words` names it. */
  isWithheld: boolean;
  /** The rise of a share that `fine` rules out: 0.2 is 20 points. */
  worseBy: number;
  /** When the evidence first sufficed; null while undecided. */
  decidedAt: string | null;
  /** Reviews of the release that were tested. */
  reviewCount: number;
  /** Those with past reviews of their storefront or language. */
  comparedCount: number;
  /** Past reviews that the test compared them with. */
  pastCount: number;
  /** The twelve weeks before the release, as far as every feed has reviews; null without such days. */
  before: {
    from: string;
    to: string;
    /** All reviews of these days, whatever version they name. */
    total: number;
  } | null;
  /** Where the evidence is strongest, at most 6. */
  shares: ({
    /** negative, low_stars (1 or 2), or complaints of a topic. */
    question: string;
    /** Reviews until the verdict that answer it with yes. */
    count: number;
    /** Reviews until the verdict. */
    total: number;
    /** The same among the reviews of `before`. */
    countBefore: number;
    /** `count` of `total`. */
    share: number;
    /** `countBefore` of the reviews before. */
    pastShare: number;
    /** The evidence of this question alone that its share rose. */
    evidence: number;
  })[];
  /** Of a `worse` release: complaints since the next one; null without a next one. */
  aftermath: {
    /** `fixed`: everything that made the release worse is back to usual. */
    state: "fixed" | "not_fixed" | "too_early";
    /** Complaints of this kind made the release worse. */
    question: string;
    /** The release that is judged: the next one, or the first that helped. */
    version: string;
    /** It, and those after it whose reviews count as well: none that is itself worse. */
    laterVersions: string[];
    /** The release after them that is itself worse, whose reviews don't count. */
    troubleVersion: string | null;
    /** Complaints among the reviews that name these releases. */
    count: number;
    /** Reviews that name these releases. */
    total: number;
    /** Of those, positive ones that mention the topic. */
    praiseCount: number;
    /** Everything that made the release worse, `question` first. */
    questions: ({
      question: string;
      state: "fixed" | "not_fixed" | "too_early";
      /** Among `total` reviews. */
      count: number;
      /** Among the `ownTotal` reviews of the release itself. */
      ownCount: number;
      /** Among the reviews before the release. */
      countBefore: number;
    })[];
    /** Complaints among the reviews that name the release itself. */
    ownCount: number;
    /** Reviews that name the release itself. */
    ownTotal: number;
    /** Complaints since then that still name the release itself. */
    stragglerCount: number;
    /** Complaints since then that name no version. */
    unknownCount: number;
  } | null;
  /** Reviews that decided a `worse`, at most 20: those that answer its first question. */
  reviewIds: string[];
  /** The curve of evidence, at most 200 points. */
  evidence: ({
    /** After this many reviews of the release. */
    reviewCount: number;
    /** When the last of them arrived. */
    at: string;
    /** Evidence (an e-value) that a share rose; 20 makes it worse. */
    worse: number;
    /** Evidence (an e-value) that no share rose by `worseBy`; 20 makes it fine. */
    fine: number;
  })[];
};

export type ViewChange = {
  /** Its name; a view of the same name is replaced. */
  name?: string | undefined;
  /** Search parameters of the Reviews page, such as `rating=1,2&sentiment=negative`. */
  query?: string | undefined;
};

export type ViewInput = {
  /** Its name; a view of the same name is replaced. */
  name: string;
  /** Search parameters of the Reviews page, such as `rating=1,2&sentiment=negative`. */
  query: string;
  /** The id of a view that was deleted. */
  id?: string | undefined;
};

export type Week = {
  /** The week's Monday (ISO weeks, UTC). */
  week: string;
  /** Short display label. */
  label: string;
  appstore: number;
  googleplay: number;
  /** Reviews of all stores. */
  total: number;
  positive: number;
  neutral: number;
  negative: number;
  mixed: number;
  /** The sum of the four sentiment counts. */
  analyzed: number;
  /** Average stars, 2 decimals; 0 in a week without reviews. */
  avgScore: number;
};

export type WholeReview = {
  /** Stable for the life of the review. */
  id: string;
  store: Store;
  /** The app's identifier inside its store. */
  externalAppId: string;
  /** Empty when the store does not say. */
  author: string;
  /** Stars. */
  rating: number;
  /** null for stores without review titles, such as googleplay. */
  title: string | null;
  /** The original text. */
  text: string;
  /** The stored translation, if one was made. */
  translatedText: string | null;
  /** Source language code of the translation. */
  translatedFrom: string | null;
  /** App version the review refers to; empty when the store does not say. */
  version: string;
  /** Lower case. Storefront region; detected language for googleplay (`und` when it is unknown), and `001`, the world, for a store without storefronts. */
  country: string;
  /** ISO 8601 in UTC; milliseconds only where the store gives them. */
  date: string;
  /** null while the review is not analysed, and for a review without text. */
  sentiment: Sentiment | null;
  /** Empty while the review is not analysed, and for a review without text. */
  topics: string[];
  /** The developer's public reply. */
  reply: Reply | null;
  /** What it is written in; null while it is not analysed. */
  language: string | null;
  /** When Starpost saw the last edit. */
  editedAt: string | null;
  /** Since when the store no longer shows it, as far as its lists tell. */
  removedAt: string | null;
  /** Why a copy should drop it: the store no longer shows it, or it was erased here for its author and has no content left. */
  removed: "by_store" | "erased" | null;
  /** As the store's official API names it. */
  device: string | null;
  /** Users who found it helpful. */
  votes: number | null;
  /** The store's own id; empty once it was erased. */
  storeId: string;
  /** Where the store shows it, or the reviews of its app. */
  url: string;
  /** Those of its `topics` that the workspace defines itself. */
  ownTopics: string[];
  /** On each topic, from -1 to 1; null where the analysis gives none. */
  opinions: Record<string, number> | null;
  /** As it was before each edit, oldest first; empty without any. */
  versions: ReviewVersion[];
};

/** The events that a webhook delivers; `event` is the discriminator. */
export type StarpostEvent = ReviewCreatedEvent | ReviewUpdatedEvent | RatingDropEvent | AlertEvent | ChannelFailingEvent;

export type ListReviewsQuery = {
  /** Only reviews of this app. Several values are separated by commas; any of them counts. */
  app?: string | readonly string[] | undefined;
  /** First UTC day, inclusive. */
  from?: string | undefined;
  /** Last UTC day, inclusive. */
  to?: string | undefined;
  /** Only reviews of this store. Several values are separated by commas; any of them counts. */
  store?: "appstore" | "googleplay" | "firefoxaddons" | readonly ("appstore" | "googleplay" | "firefoxaddons")[] | undefined;
  /** Only reviews with this number of stars. Several values are separated by commas; any of them counts. */
  rating?: number | readonly number[] | undefined;
  /** Only reviews of this sentiment. Several values are separated by commas; any of them counts. */
  sentiment?: "positive" | "neutral" | "negative" | "mixed" | readonly ("positive" | "neutral" | "negative" | "mixed")[] | undefined;
  /** Only reviews with this topic, built in or your own. Several values are separated by commas; any of them counts. */
  topic?: string | readonly string[] | undefined;
  /** Only reviews with this `country`: a storefront; for googleplay a language, and `001` for a store without storefronts. Several values are separated by commas; any of them counts. */
  country?: string | readonly string[] | undefined;
  /** Only reviews written in this language. Several values are separated by commas; any of them counts. */
  language?: string | readonly string[] | undefined;
  /** Only reviews of exactly this app version. Several values are separated by commas; any of them counts. */
  version?: string | readonly string[] | undefined;
  /** Only reviews with this text in title, text, author or translation, in upper or lower case. */
  q?: string | undefined;
  /** Only reviews with a text (`true`), or with stars alone (`false`). */
  hasText?: boolean | undefined;
  /** Only reviews whose text has at least this many characters. */
  minLength?: number | undefined;
  /** Only reviews with a public reply (`true`), or without one (`false`). */
  hasReply?: boolean | undefined;
  /** Only reviews that are `unanswered`, `answered`, or `outdated`: changed after they were answered. An answer that Starpost is sending counts. Several values are separated by commas; any of them counts. */
  reply?: "unanswered" | "answered" | "outdated" | readonly ("unanswered" | "answered" | "outdated")[] | undefined;
  /** Only reviews that were edited since Starpost knows them, or that were not. */
  edited?: boolean | undefined;
  /** Only reviews that the store no longer shows, or that it does. */
  removed?: boolean | undefined;
  /** Further fields of each review, separated by commas. With `removed` a copy learns of reviews that were removed or erased. */
  include?: "reply" | "language" | "editedAt" | "removedAt" | "removed" | "device" | "votes" | "storeId" | "url" | "ownTopics" | "opinions" | "changedAt" | readonly ("reply" | "language" | "editedAt" | "removedAt" | "removed" | "device" | "votes" | "storeId" | "url" | "ownTopics" | "opinions" | "changedAt")[] | undefined;
  /** Only reviews that were new, edited, analysed or translated at this moment (UTC) or later; those that changed first come first. For whoever keeps a copy. */
  updatedSince?: string | undefined;
  /** Page size. */
  limit?: number | undefined;
  /** `nextCursor` of the previous page, unchanged. */
  cursor?: string | undefined;
};

export type ExportReviewsQuery = {
  /** Only reviews of this app. Several values are separated by commas; any of them counts. */
  app?: string | readonly string[] | undefined;
  /** First UTC day, inclusive. */
  from?: string | undefined;
  /** Last UTC day, inclusive. */
  to?: string | undefined;
  /** Only reviews of this store. Several values are separated by commas; any of them counts. */
  store?: "appstore" | "googleplay" | "firefoxaddons" | readonly ("appstore" | "googleplay" | "firefoxaddons")[] | undefined;
  /** Only reviews with this number of stars. Several values are separated by commas; any of them counts. */
  rating?: number | readonly number[] | undefined;
  /** Only reviews of this sentiment. Several values are separated by commas; any of them counts. */
  sentiment?: "positive" | "neutral" | "negative" | "mixed" | readonly ("positive" | "neutral" | "negative" | "mixed")[] | undefined;
  /** Only reviews with this topic, built in or your own. Several values are separated by commas; any of them counts. */
  topic?: string | readonly string[] | undefined;
  /** Only reviews with this `country`: a storefront; for googleplay a language, and `001` for a store without storefronts. Several values are separated by commas; any of them counts. */
  country?: string | readonly string[] | undefined;
  /** Only reviews written in this language. Several values are separated by commas; any of them counts. */
  language?: string | readonly string[] | undefined;
  /** Only reviews of exactly this app version. Several values are separated by commas; any of them counts. */
  version?: string | readonly string[] | undefined;
  /** Only reviews with this text in title, text, author or translation, in upper or lower case. */
  q?: string | undefined;
  /** Only reviews with a text (`true`), or with stars alone (`false`). */
  hasText?: boolean | undefined;
  /** Only reviews whose text has at least this many characters. */
  minLength?: number | undefined;
  /** Only reviews with a public reply (`true`), or without one (`false`). */
  hasReply?: boolean | undefined;
  /** Only reviews that are `unanswered`, `answered`, or `outdated`: changed after they were answered. An answer that Starpost is sending counts. Several values are separated by commas; any of them counts. */
  reply?: "unanswered" | "answered" | "outdated" | readonly ("unanswered" | "answered" | "outdated")[] | undefined;
  /** Only reviews that were edited since Starpost knows them, or that were not. */
  edited?: boolean | undefined;
  /** Only reviews that the store no longer shows, or that it does. */
  removed?: boolean | undefined;
  /** Further fields of each review, separated by commas. With `removed` a copy learns of reviews that were removed or erased. */
  include?: "reply" | "language" | "editedAt" | "removedAt" | "removed" | "device" | "votes" | "storeId" | "url" | "ownTopics" | "opinions" | "changedAt" | readonly ("reply" | "language" | "editedAt" | "removedAt" | "removed" | "device" | "votes" | "storeId" | "url" | "ownTopics" | "opinions" | "changedAt")[] | undefined;
  /** `cursor` of the last row that you have: begins behind it. */
  cursor?: string | undefined;
  format?: "ndjson" | "csv" | undefined;
};

export type RatingHistoryQuery = {
  /** An app id, from `GET /apps`. */
  app: string;
  /** First UTC day, inclusive. */
  from?: string | undefined;
  /** Last UTC day, inclusive. */
  to?: string | undefined;
  by?: "day" | "week" | undefined;
  /** Storefronts, each by itself; without it all that the app follows together. Several values are separated by commas; any of them counts. */
  region?: string | readonly string[] | undefined;
};

export type ChangesQuery = {
  /** An app id, from `GET /apps`. */
  app: string;
  /** An app version: what changed since it came out. Without it, in the week up to `to`. */
  since?: string | undefined;
  /** Last UTC day. Without it yesterday, because today is not over; with `since` today. */
  to?: string | undefined;
};

export type OutcomeQuery = {
  /** First UTC day, inclusive. */
  from?: string | undefined;
  /** Last UTC day, inclusive. */
  to?: string | undefined;
  /** An app id, from `GET /apps`. */
  app?: string | undefined;
};

export type TrendQuery = {
  /** An app id, from `GET /apps`. Several values are separated by commas; any of them counts. */
  app: string | readonly string[];
  /** First UTC day, inclusive. */
  from?: string | undefined;
  /** Last UTC day, inclusive. */
  to?: string | undefined;
  /** `own`: `topTopics` has the topics of the workspace alone. */
  topics?: "own" | undefined;
};

export type VerdictQuery = {
  /** The version of the release, as reviews name it. */
  version: string;
  /** An app id, from `GET /apps`. */
  app: string;
  /** The rise of a share that `fine` rules out; 0.2 is 20 points. */
  worseBy?: number | undefined;
};

export type EditQuery = {
  /** A review id, from `GET /reviews` or a webhook. */
  review: string;
  /** The app of the review; it is found without, too. */
  app?: string | undefined;
};
