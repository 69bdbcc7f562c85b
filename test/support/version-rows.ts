// A row for every table that the database ever had, by the migration from which on it is there, as the version of
// that moment wrote it. Everything belongs together: one workspace, one app, one review, one channel.
import { createSecretBox } from "../../src/lib/secret-box.ts";

export const ids = {
  workspace: "01900000-0000-7000-8000-000000000001",
  listing: "01900000-0000-7000-8000-000000000002",
  review: "01900000-0000-7000-8000-000000000003",
  channel: "01900000-0000-7000-8000-000000000004",
  credential: "01900000-0000-7000-8000-000000000005",
  app: "01900000-0000-7000-8000-000000000006",
  token: "01900000-0000-7000-8000-000000000007",
  user: "01900000-0000-7000-8000-000000000008",
  session: "01900000-0000-7000-8000-000000000009",
  key: "01900000-0000-7000-8000-00000000000a",
  delivered: "01900000-0000-7000-8000-00000000000b",
  waiting: "01900000-0000-7000-8000-00000000000c",
  expired: "01900000-0000-7000-8000-00000000000d",
  invitation: "01900000-0000-7000-8000-00000000000e",
  note: "01900000-0000-7000-8000-00000000000f",
  gone: "01900000-0000-7000-8000-000000000010",
  copy: "01900000-0000-7000-8000-000000000011",
  topic: "01900000-0000-7000-8000-000000000012",
} as const;
export const at = new Date("2026-03-01T12:00:00.000Z");
export const later = new Date("2026-03-01T12:10:00.000Z");
export const box = createSecretBox([Buffer.alloc(32, 7)]);
export const channelSecret = box.seal("whsec_x", ids.channel);
export const credentialSecret = box.seal("{}", ids.credential);
const day = "2026-03-01";

export type VersionRow = readonly [table: string, row: Record<string, unknown>];

const { workspace, listing, review, channel, credential, app, user } = ids;
const ofWorkspace = { workspace_id: workspace };
const ofListing = { listing_id: listing };
const ofReview = { ...ofListing, review_id: review };
const ofJob = { ...ofReview, kind: "translate", content_hash: Buffer.from("hash") };
const delivery = {
  ...{ channel_id: channel, ...ofWorkspace, app_id: app, review_id: review },
  ...{ event: "review.created", rating: 2, topics: ["sync"], body: Buffer.from("{}") },
  ...{ is_test: false, created_at: at, queued_at: at, due_at: at },
};

/** At 003, the first version that people could sign in to. */
const first: readonly VersionRow[] = [
  ["workspaces", { id: workspace, name: "Team", plan: "studio", created_at: at }],
  [
    "api_keys",
    {
      ...{ id: ids.key, ...ofWorkspace, name: "Report", prefix: "sp_abcd" },
      ...{ hash: Buffer.alloc(32, 1), created_at: at },
    },
  ],
  ["key_days", { key_id: ids.key, day, request_count: 7 }],
  [
    "credentials",
    {
      ...{ id: credential, ...ofWorkspace, store: "appstore", name: "Key", subject: "K1" },
      ...{ sealed_secret: credentialSecret, created_at: at },
    },
  ],
  ["listings", { id: listing, store: "appstore", external_app_id: "1", created_at: at }],
  [
    "apps",
    { id: app, ...ofWorkspace, ...ofListing, countries: ["us"], languages: [], added_at: at },
  ],
  [
    "reviews",
    {
      ...{ ...ofListing, id: review, store_review_id: "r", author: "Ada", rating: 2 },
      ...{ body: "Schade", version: "1", country: "de", date: at, first_seen_at: at },
      ...{ analysis_version: 9, language: "de", sentiment: "negative", topics: ["sync"] },
      ...{ adaptation: 4, analysed_by: "some-model" },
    },
  ],
  [
    "review_versions",
    { ...ofReview, number: 1, rating: 3, body: "Gut", version: "1", date: at, replaced_at: later },
  ],
  [
    "review_days",
    {
      ...{ ...ofListing, day, total: 1, stars_1: 0, stars_2: 1, stars_3: 0, stars_4: 0 },
      ...{ stars_5: 0, positive: 0, neutral: 0, negative: 1, mixed: 0 },
    },
  ],
  ["review_topics", { ...ofReview, topic: "sync", rating: 2, sentiment: "negative", date: at }],
  ["topic_days", { ...ofListing, day, topic: "sync", total: 1 }],
  ["topic_weeks", { ...ofListing, week: "2026-02-23", topic: "sync", total: 1 }],
  ["app_versions", { ...ofListing, version: "1", first_day: day }],
  [
    "snapshots",
    {
      ...ofListing,
      region: "us",
      day,
      average: 4,
      total: 2,
      histogram: [0, 0, 1, 0, 1],
      captured_at: at,
    },
  ],
  [
    "feeds",
    {
      ...{ ...ofListing, kind: "reviews", region: "us", next_due_at: at },
      ...{ swept_at: at, sweep_due_at: later },
      held_reading: { average: 4.5, total: 2, histogram: null },
      progress: {
        ...{ startedAt: at, savedAt: later, isSweep: true, pageCount: 3, reviewCount: 60 },
        ...{ rejectedCount: 0, newCount: 5, editedCount: 1, holeCount: 2, sawFirstPage: true },
        ...{ newest: at, cursor: "next" },
      },
    },
  ],
  [
    "channels",
    {
      ...{ id: channel, ...ofWorkspace, name: "Hook", url: "https://example.com/" },
      ...{ host: "example.com", events: ["review.created"], translate: false },
      ...{ drop_threshold: 0.1, period_days: 7, min_sample_size: 30 },
      ...{ sealed_secret: channelSecret, created_at: at },
    },
  ],
  ["channel_reviews", { channel_id: channel, review_id: review }],
  ["rating_episodes", { channel_id: channel, app_id: app, opened_at: at }],
  [
    "channel_queue",
    { channel_id: channel, next_due_at: at, is_failing: false, host: "example.com" },
  ],
  [
    "deliveries",
    { ...delivery, id: ids.delivered, status: "delivered", attempt_count: 1, finished_at: later },
  ],
  ["deliveries", { ...delivery, id: ids.waiting, status: "pending" }],
  [
    "deliveries",
    { ...delivery, id: ids.expired, status: "expired", attempt_count: 4, finished_at: later },
  ],
  [
    "attempts",
    { delivery_id: ids.delivered, number: 1, started_at: at, duration_ms: 5, status: 200 },
  ],
  [
    "provider_jobs",
    {
      ...{ ...ofJob, language: "de", rating: 2, body: "Schade", is_urgent: false },
      ...{ queued_at: at, due_at: later, lease_token: ids.token },
    },
  ],
  ["translation_waits", { ...ofJob, delivery_id: ids.gone }],
  [
    "translations",
    { content_hash: Buffer.from("hash"), provider: "p", translated_text: "Pity", saved_at: at },
  ],
  ["provider_states", { kind: "translate", provider: "p", rests_until: later }],
  ["provider_days", { kind: "translate", day, request_count: 1, cost: 6 }],
  [
    "adaptations",
    {
      ...{ language: "de", analysis_version: 9, number: 4, weights: Buffer.from("w") },
      ...{ taken_at: at, tried_at: later, outcome: "better" },
    },
  ],
  ["users", { id: user, email: "ida@example.com", name: "Ida", password_hash: "", created_at: at }],
  ["members", { ...ofWorkspace, user_id: user, role: "owner", joined_at: at }],
  [
    "sessions",
    {
      ...{ id: ids.session, token_hash: Buffer.alloc(32), user_id: user, started_at: at },
      ...{ seen_at: later, ends_at: later, address: "192.0.2.1", browser: "" },
    },
  ],
  [
    "invitations",
    {
      ...{ id: ids.invitation, token_hash: Buffer.alloc(32, 2), ...ofWorkspace, role: "member" },
      ...{ invited_by: user, created_at: at, ends_at: later },
    },
  ],
  ["setup_links", { token_hash: Buffer.alloc(32, 3), ends_at: later }],
  ["sign_in_tries", { key: "a", try_count: 3, ends_at: later }],
  ["rate_windows", { key: "k", accepted_at: [at], granted_count: 1, taken_at: at }],
  [
    "audit",
    {
      ...{ id: ids.gone, ...ofWorkspace, at, actor: "cli", action: "channel.deleted" },
      ...{ subject: ids.gone, detail: {} },
    },
  ],
];

/** What came with later migrations. */
export const rowsByMigration: Readonly<Record<number, readonly VersionRow[]>> = {
  3: first,
  5: [
    [
      "channel_old_secrets",
      {
        ...{ id: channel, encrypted_secret: channelSecret, key_id: box.keyIdOf(channelSecret) },
        ends_at: later,
      },
    ],
    ["deleted_channels", { channel_id: ids.gone, deleted_at: at }],
    ["delivery_workers", { leased_until: later }],
    [
      "delivered_pages",
      {
        ...{ channel_id: channel, first_id: ids.delivered, last_id: ids.delivered },
        ...{ ids: [ids.delivered], started_at: [at], durations_ms: [5], statuses: [200] },
      },
    ],
  ],
  6: [
    [
      "circuit_breakers",
      { name: "appstore us", failure_count: 2, open_count: 1, open_until: later },
    ],
    ["store_hosts", { host: "itunes.example.com", free_at: later }],
  ],
  12: [
    [
      "second_factors",
      {
        id: user,
        encrypted_secret: channelSecret,
        key_id: box.keyIdOf(channelSecret),
        created_at: at,
      },
    ],
    ["recovery_codes", { user_id: user, code_hash: Buffer.alloc(32, 4) }],
  ],
  13: [["erased_reviews", { review_id: ids.gone, erased_at: at }]],
  14: [
    ["review_work", { ...ofWorkspace, review_id: review, tags: ["call back"] }],
    [
      "review_notes",
      {
        id: ids.note,
        ...{ ...ofWorkspace, review_id: review, author_id: user },
        ...{ text: "Hm", created_at: at },
      },
    ],
    [
      "saved_views",
      { id: ids.note, ...ofWorkspace, name: "Bad", query: "rating=1", created_at: at },
    ],
  ],
  16: [
    ["listings", { id: ids.copy, store: "appstore", external_app_id: "2", created_at: at }],
    [
      "listing_copies",
      { listing_id: ids.copy, from_id: listing, changes_until: at, changes_until_id: review },
    ],
  ],
  20: [
    [
      "own_topics",
      { id: ids.topic, ...ofWorkspace, name: "timer", phrases: ["timer"], created_at: at },
    ],
    [
      "own_topic_reviews",
      {
        ...{ topic_id: ids.topic, app_id: app, review_id: review },
        ...{ rating: 2, sentiment: "", date: at },
      },
    ],
    ["own_topic_scans", { topic_id: ids.topic, app_id: app, revision: 1 }],
  ],
  21: [["table_sizes", { day, name: "reviews", bytes: 1, rows: 1 }]],
  24: [
    [
      "own_topic_ticks",
      {
        ...{ topic_id: ids.topic, app_id: app, review_id: review },
        ...{ is_right: true, user_id: user, ticked_at: at },
      },
    ],
  ],
  22: [
    ["channel_alerts", { channel_id: channel, cause: "storefront de", raised_at: at, seen_at: at }],
  ],
  37: [
    [
      "channel_health",
      {
        ...{ bucket: 0, channel_id: channel, failing_since: at },
        ...{ failing_reason: "500", timeout_count: 0 },
      },
    ],
  ],
  51: [
    ["outbox", { listing_id: listing, id: ids.gone, queued_at: at, created_at: at, payload: "[]" }],
  ],
  23: [["rating_averages", { listing_id: listing, region: "us", day, average: 4.5 }]],
};
