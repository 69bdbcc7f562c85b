// Example responses for the documentation. A test checks them against the schemas.

export const exampleApp = {
  id: "01988f2e-7c1a-7d20-9b1e-5f0a3c6d2e41",
  name: "Tidepool Journal",
  store: "appstore" as const,
  externalAppId: "1234567890",
  appIcon: "https://icons.example/tidepool.png",
};

export const exampleReview = {
  id: "5b1f7a52-0c4e-5f6b-8f0e-2f4f7f1f9d10",
  store: "appstore" as const,
  externalAppId: exampleApp.externalAppId,
  author: "riverstone",
  rating: 2,
  title: "Se cierra al abrir",
  text: "Desde la última versión se cierra cada vez que abro el calendario.",
  translatedText: "Since the last version it closes every time I open the calendar.",
  translatedFrom: "es",
  version: "4.2.1",
  country: "es",
  date: "2026-11-21T08:37:00Z",
  sentiment: { label: "negative" as const, score: -0.62 },
  topics: ["crash"],
};

export const exampleReviews = {
  reviews: [exampleReview],
  nextCursor: "AAZKvGf0QABbH3pSDE5fa48OL09_H50QbB3Yv1d0mQxkq8c0Lr2yWg",
};

export const exampleExportedReview = { ...exampleReview, cursor: exampleReviews.nextCursor };

const exampleVersions = [
  {
    rating: 4,
    title: "Muy útil",
    text: "Apunto aquí todas mis mareas.",
    version: "4.1.0",
    date: "2026-09-02T17:12:40Z",
    replacedAt: "2026-11-21T09:02:11Z",
  },
];

export const exampleEdits = { review: exampleReview, edits: exampleVersions };

export const exampleWholeReview = {
  ...exampleReview,
  reply: { text: "Lo arreglamos en la 4.2.2.", at: "2026-11-21T15:02:00Z" },
  language: "es",
  editedAt: "2026-11-21T09:02:11Z",
  removedAt: null,
  removed: null,
  device: null,
  votes: 3,
  storeId: "11893672410",
  url: "https://apps.apple.com/es/app/id1234567890?see-all=reviews",
  ownTopics: [],
  opinions: { crash: -0.8 },
  versions: exampleVersions,
};

export const exampleRatings = {
  app: { id: exampleApp.id, store: exampleApp.store, externalAppId: exampleApp.externalAppId },
  rating: {
    average: 4.3172,
    total: 18_234,
    histogram: { "1": 1_204, "2": 655, "3": 1_310, "4": 3_044, "5": 12_021 },
    capturedOn: "2026-11-21",
  },
};

export const exampleTrends = {
  weekly: [
    {
      week: "2026-11-16",
      label: "Nov 16",
      appstore: 37,
      googleplay: 0,
      total: 37,
      positive: 21,
      neutral: 4,
      negative: 9,
      mixed: 2,
      analyzed: 36,
      avgScore: 3.84,
    },
  ],
  totals: { total: 37, analyzed: 36 },
  ratingDistribution: [
    { score: 1, count: 6 },
    { score: 2, count: 3 },
    { score: 3, count: 2 },
    { score: 4, count: 6 },
    { score: 5, count: 20 },
  ],
  topTopics: [
    { topic: "crash", count: 8 },
    { topic: "sync", count: 5 },
  ],
};

export const exampleChanges = {
  kind: "release" as const,
  app: { id: exampleApp.id, name: exampleApp.name, store: exampleApp.store },
  version: "4.2.1",
  range: { from: "2026-11-18", to: "2026-11-21" },
  baseline: { from: "2026-10-21", to: "2026-11-17" },
  reviews: {
    total: 21,
    expected: 9.4,
    averageRating: 2.9,
    averageRatingBefore: 4.1,
    negative: 10,
    repeated: 0,
    read: 21,
  },
  spikes: [
    {
      subject: "topic" as const,
      value: "crash",
      count: 9,
      total: 21,
      expected: 0.8,
      sentence: "9 of 21 reviews are about crash; the days before let expect 0.8.",
    },
  ],
  newPhrases: [],
  duplicates: [],
  quotes: [
    {
      reviewId: exampleReview.id,
      rating: exampleReview.rating,
      text: exampleReview.text,
      date: exampleReview.date,
      version: exampleReview.version,
      language: "es",
      country: exampleReview.country,
      sentiment: exampleReview.sentiment.label,
      topics: exampleReview.topics,
      mentions: ["crash"],
    },
  ],
  sentences: ["9 of 21 reviews are about crash; the days before let expect 0.8."],
};

// The key order of a delivery's review is the contract's.
export const exampleEventReview = {
  id: exampleReview.id,
  store: exampleReview.store,
  rating: exampleReview.rating,
  title: exampleReview.title,
  text: exampleReview.text,
  translatedText: exampleReview.translatedText,
  translatedFrom: exampleReview.translatedFrom,
  author: exampleReview.author,
  version: exampleReview.version,
  country: exampleReview.country,
  date: exampleReview.date,
};

const exampleSource = {
  channelId: "01988f31-02b7-7c55-a5a0-9c1d0f6b7e13",
  channelName: "Support desk",
  app: { id: exampleApp.id, name: exampleApp.name, store: exampleApp.store },
};

export const exampleCreated = {
  event: "review.created" as const,
  ...exampleSource,
  review: exampleEventReview,
};

export const exampleUpdated = {
  event: "review.updated" as const,
  ...exampleSource,
  review: { ...exampleEventReview, rating: 5 },
  change: {
    oldScore: 2,
    newScore: 5,
    ratingChanged: true,
    textChanged: false,
    headline: "Rating changed from 2 to 5 stars",
  },
};

export const exampleDrop = {
  event: "review.rating_drop" as const,
  ...exampleSource,
  ratingDrop: {
    currentAvg: 4.1,
    baselineAvg: 4.32,
    drop: 0.22,
    sampleSize: 18_234,
    baselineSampleSize: 17_902,
    periodDays: 7,
  },
};

export const exampleSpike = {
  event: "reviews.spike" as const,
  ...exampleSource,
  lines: ["6 of 14 reviews complain about crashes: 43 % now, 4 of 36 before."],
};

export const exampleFailing = {
  event: "channel.failing" as const,
  ...exampleSource,
  app: null,
  failing: { id: "01989d1c-7a10-7c3e-9d4e-5a1b2c3d4e5f", name: "Desk" },
  lines: ["HTTP 503"],
};
