// The responses of the read API and the bodies of webhooks, as the public contract names them. A test of
// the service compares these types with its OpenAPI document.

/** Stores that an app is sold in. */
export type Store = "appstore" | "googleplay";

export type SentimentLabel = "positive" | "neutral" | "negative" | "mixed";

export type App = {
  id: string;
  name: string;
  store: Store;
  /** The app's identifier inside its store. */
  externalAppId: string;
  /** URL of the icon; empty until the store has named one. */
  appIcon: string;
};

export type Review = {
  /** Stable for the life of the review. */
  id: string;
  store: Store;
  externalAppId: string;
  /** Empty when the store names none. */
  author: string;
  /** 1 to 5 stars. */
  rating: number;
  /** null for stores without review titles (googleplay). */
  title: string | null;
  /** The original text. */
  text: string;
  translatedText: string | null;
  /** Source language code of the translation. */
  translatedFrom: string | null;
  /** App version; empty when the store names none. */
  version: string;
  /** Lower case: storefront for appstore, detected language for googleplay. */
  country: string;
  /** ISO 8601 in UTC. */
  date: string;
  /** null while the review is not analysed, and for a review without text. Scores go from -1 to 1. */
  sentiment: { label: SentimentLabel; score: number } | null;
  topics: string[];
};

/** The fields that `include` adds to a review. */
export type IncludedFields = {
  /** The developer's public reply. */
  reply: { text: string; at: string | null } | null;
  /** Its language; null while it is not analysed. */
  language: string | null;
  /** When Starpost saw the last edit. */
  editedAt: string | null;
  /** Since when the store no longer shows it, as far as its lists show. */
  removedAt: string | null;
  /** Why a copy should drop it; an erased review has no content left. */
  removed: "by_store" | "erased" | null;
  device: string | null;
  /** Users who found it helpful. */
  votes: number | null;
  /** The store's own id; empty once it was erased. */
  storeId: string;
  /** Where the store shows it, or the reviews of its app. */
  url: string;
  /** Those of its `topics` that the workspace defines itself. */
  ownTopics: string[];
  /** On each topic, from -1 to 1. */
  opinions: Record<string, number> | null;
};

export type ReviewPage = {
  reviews: (Review & { [Name in keyof IncludedFields]?: IncludedFields[Name] | undefined })[];
  /** Pass it back as `cursor`; null on the last page. */
  nextCursor: string | null;
};

/** `cursor` leads to the reviews behind it. */
export type ExportedReview = ReviewPage["reviews"][number] & { cursor: string };

export type ChangePage = ReviewPage & {
  /** Every change before this moment is on this page or on one before it, unless there is a `nextCursor`. */
  updatedUntil: string;
};

/** A review before an edit. */
export type ReviewVersion = {
  rating: number;
  title: string | null;
  text: string;
  version: string;
  date: string;
  /** When Starpost saw the edit. */
  replacedAt: string;
};

/** A review, and as it was before each edit, oldest first. */
export type ReviewEdits = { review: Review; edits: ReviewVersion[] };

/** A review with all fields, and as it was before each edit, oldest first. */
export type WholeReview = Review & IncludedFields & { versions: ReviewVersion[] };

export type RatingSummary = {
  app: { id: string; store: Store; externalAppId: string };
  rating: {
    /** All-time average, at most 4 decimals. */
    average: number;
    total: number;
    /** Number of ratings per star. */
    histogram: { "1": number; "2": number; "3": number; "4": number; "5": number };
    /** YYYY-MM-DD, the day of the latest daily snapshot. */
    capturedOn: string;
  };
};

export type Week = {
  /** YYYY-MM-DD, the week's Monday. */
  week: string;
  label: string;
  appstore: number;
  googleplay: number;
  total: number;
  positive: number;
  neutral: number;
  negative: number;
  mixed: number;
  analyzed: number;
  /** Average stars, 2 decimals; 0 in a week without reviews. */
  avgScore: number;
};

export type Trends = {
  /** Every week of the range, oldest first. */
  weekly: Week[];
  totals: { total: number; analyzed: number };
  /** Always five items, 1 to 5 stars. */
  ratingDistribution: { score: number; count: number }[];
  /** The ten most frequent. */
  topTopics: { topic: string; count: number }[];
};

/** An app's all-time ratings as of one day. */
export type RatingDay = {
  /** YYYY-MM-DD */
  day: string;
  /** The storefront; null for all that the app follows together. */
  region: string | null;
  average: number;
  /** null where a Play Console export had the average alone. */
  total: number | null;
  histogram: RatingSummary["rating"]["histogram"] | null;
};

/** All reviews of a range of days, whatever version they are of. */
export type ReviewCounts = {
  from: string;
  to: string;
  total: number;
  /** null without reviews. */
  averageRating: number | null;
  ratings: RatingSummary["rating"]["histogram"];
  sentiment: { positive: number; neutral: number; negative: number; mixed: number };
};

export type Release = {
  version: string;
  /** YYYY-MM-DD, the day of the oldest review that names it. */
  firstSeen: string;
  /** From that day on, up to the next version or for 14 days. */
  reviews: ReviewCounts;
  /** The 14 days before. */
  before: ReviewCounts;
  topTopics: { topic: string; count: number }[];
};

/** A storefront, or a list of reviews in one language, that an app is read through. */
export type Feed = {
  kind: "reviews" | "ratings";
  region: string;
  source: "public" | "official";
  /** The outcome of the last reading; `unknown` is a gap or a failure. */
  outcome: "ok" | "empty" | "unknown" | null;
  checkedAt: string | null;
  goodAt: string | null;
  nextDueAt: string;
  /** When everything that the store shows was read first; null before. */
  completeSince: string | null;
  /** In words; null while nothing is missing. */
  missing: string | null;
};

/** The changes in the reviews of an app, in a week or since a version came out. */
export type Changes = {
  kind: "day" | "week" | "release";
  app: { id: string; name: string; store: Store };
  version: string | null;
  range: { from: string; to: string };
  /** null where there are too few reviews to compare with. */
  baseline: { from: string; to: string } | null;
  reviews: {
    total: number;
    expected: number | null;
    averageRating: number | null;
    averageRatingBefore: number | null;
    negative: number;
    repeated: number;
    read: number;
  };
  spikes: {
    subject: "reviews" | "fewer" | "rating" | "negative" | "topic" | "language" | "version";
    value: string;
    count: number;
    total: number;
    expected: number;
    sentence: string;
  }[];
  newPhrases: {
    phrase: string;
    language: string;
    count: number;
    countBefore: number;
    reviewIds: string[];
    sentence: string;
  }[];
  /** Reviews with nearly the same text. */
  duplicates: { text: string; count: number; reviewIds: string[]; sentence: string }[];
  quotes: {
    reviewId: string;
    rating: number;
    text: string;
    date: string;
    version: string;
    language: string;
    country: string;
    sentiment: SentimentLabel | null;
    topics: string[];
    mentions: string[];
  }[];
  /** The same in plain English, the most important first. */
  sentences: string[];
};

/** Whether a release made people unhappy. */
export type Verdict = {
  app: { id: string; name: string; store: Store };
  version: string;
  /** YYYY-MM-DD, the day on which a review first named the version. */
  firstDay: string;
  /** `fine`: no share rose by `worseBy`; `undecided`: neither is certain yet, or a verdict is impossible. */
  result: "worse" | "fine" | "undecided";
  /** The result, and whether a later release fixed a `worse` one. */
  outcome: "worse" | "not_fixed" | "fixed" | "better" | "fine" | "too_early";
  /** The evidence in words, or the reason for a missing verdict. */
  words: string;
  worseBy: number;
  /** When the evidence first sufficed. */
  decidedAt: string | null;
  reviewCount: number;
  comparedCount: number;
  pastCount: number;
  shares: {
    /** `negative`, `low_stars`, or a topic for its complaints. */
    question: string;
    share: number;
    pastShare: number;
    evidence: number;
  }[];
  /** Of a `worse` release: complaints since the next one. Reviews are counted by the version that they name. */
  aftermath: {
    state: "fixed" | "not_fixed" | "too_early";
    question: string;
    version: string;
    laterVersions: string[];
    count: number;
    total: number;
    praiseCount: number;
    ownCount: number;
    ownTotal: number;
    stragglerCount: number;
    unknownCount: number;
  } | null;
  /** Reviews that decided a `worse`. */
  reviewIds: string[];
  /** E-values after some of the reviews; 20 suffices. */
  evidence: { reviewCount: number; at: string; worse: number; fine: number }[];
};

/** The review of a webhook body: other fields than the read API's. */
export type EventReview = {
  id: string;
  store: Store;
  rating: number;
  title: string | null;
  text: string;
  translatedText: string | null;
  translatedFrom: string | null;
  author: string;
  version: string;
  country: string;
  date: string;
};

type EventSource = {
  channelId: string;
  channelName: string;
  app: { id: string; name: string; store: Store };
};

export type ReviewCreatedEvent = { event: "review.created" } & EventSource & {
    review: EventReview;
  };

export type ReviewUpdatedEvent = { event: "review.updated" } & EventSource & {
    review: EventReview;
    change: {
      oldScore: number;
      newScore: number;
      ratingChanged: boolean;
      textChanged: boolean;
      /** The change in words. */
      headline: string;
    };
  };

export type RatingDropEvent = { event: "review.rating_drop" } & EventSource & {
    ratingDrop: {
      currentAvg: number;
      baselineAvg: number;
      /** Baseline minus current, in stars. */
      drop: number;
      sampleSize: number;
      baselineSampleSize: number;
      periodDays: number;
    };
  };

/** Sent only to channels that chose them. */
export type AlertEvent = {
  event: "reviews.spike" | "release.worse" | "storefront.failing";
  channelId: string;
  channelName: string;
  /** null where the app was removed meanwhile. */
  app: EventSource["app"] | null;
  /** Failures and rises, one sentence each. */
  lines: string[];
};

/** Sent only to channels that chose it. */
export type ChannelFailingEvent = {
  event: "channel.failing";
  channelId: string;
  channelName: string;
  /** Always null: a channel is not of one app. */
  app: EventSource["app"] | null;
  /** The channel that fails. */
  failing: { id: string; name: string };
  lines: string[];
};

/** The events that a webhook delivers; `event` is the discriminator. */
export type StarpostEvent =
  | ReviewCreatedEvent
  | ReviewUpdatedEvent
  | RatingDropEvent
  | AlertEvent
  | ChannelFailingEvent;

/** An app with its settings. */
export type ManagedApp = {
  id: string;
  store: Store;
  externalAppId: string;
  name: string;
  countries: string[];
  languages: string[];
  /** false: it holds imports only. */
  isCollected: boolean;
  credentialId: string | null;
  addedAt: string;
};

/** A channel with its settings; the fields of the destination depend on the type. */
export type ManagedChannel = {
  id: string;
  name: string;
  type: string;
  url?: string;
  chat?: string;
  to?: string;
  events: string[];
  /** null for all. */
  apps: string[] | null;
  stars: number[] | null;
  topics: string[] | null;
  filter: string | null;
  /** The id of a saved view. */
  view: string | null;
  translate: boolean;
  dropThreshold: number;
  periodDays: number;
  minSampleSize: number;
  digest: "daily" | "weekly" | null;
  digestAt: string;
  timeZone: string;
  isPaused: boolean;
  createdAt: string;
  failingSince: string | null;
  failingReason: string | null;
};

export type OwnTopic = { id: string; name: string; phrases: string[]; createdAt: string };

/** `query`: search parameters of the Reviews page. */
export type SavedView = { id: string; name: string; query: string };

/** Without its secret. */
export type StoreCredential = {
  id: string;
  store: Store;
  name: string;
  subject: string;
  createdAt: string;
};
