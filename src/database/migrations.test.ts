// A database that was filled at migration 003 keeps everything that it holds through the later ones.
import fs from "node:fs/promises";
import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { cloneDatabase, type TestDatabase } from "../../test/support/database.ts";
import { silentLog } from "../lib/log.ts";
import { createSecretBox } from "../lib/secret-box.ts";
import { type Database, openDatabase } from "./database.ts";

const ids = {
  workspace: "01900000-0000-7000-8000-000000000001",
  listing: "01900000-0000-7000-8000-000000000002",
  review: "01900000-0000-7000-8000-000000000003",
  channel: "01900000-0000-7000-8000-000000000004",
  credential: "01900000-0000-7000-8000-000000000005",
  app: "01900000-0000-7000-8000-000000000006",
  token: "01900000-0000-7000-8000-000000000007",
  user: "01900000-0000-7000-8000-000000000008",
  session: "01900000-0000-7000-8000-000000000009",
};
const at = new Date("2026-03-01T12:00:00.000Z");
const later = new Date("2026-03-01T12:10:00.000Z");
const box = createSecretBox([Buffer.alloc(32, 7)]);
const channelSecret = box.seal("whsec_x", ids.channel);
const credentialSecret = box.seal("{}", ids.credential);

let testDatabase: TestDatabase;
let database: Database;
let client: pg.Client;

beforeAll(async () => {
  testDatabase = await cloneDatabase();
  client = new pg.Client(testDatabase.connectionString);
  await client.connect();
  await client.query("drop schema public cascade; create schema public");
  await migrateTo(3);
  await fill();
  database = await openDatabase({ log: silentLog, connection: testDatabase });
  await database.migrate();
});

afterAll(async () => {
  await client.end();
  await database.close();
  await testDatabase.drop();
});

test("an interrupted crawl goes on where it was, and a quarantined reading stays", async () => {
  const [feed] = await database.listFeeds(ids.listing);
  expect(feed).toMatchObject({
    fullCrawlAt: at,
    fullCrawlDueAt: later,
    fullPageCount: 0,
    quarantinedReading: { average: 4.5, total: 2, histogram: null },
    checkpoint: {
      startedAt: at,
      savedAt: later,
      isFullCrawl: true,
      gapCount: 2,
      pageCount: 3,
      newest: at,
      cursor: "next",
    },
  });
});

test("a leased job stays leased until its lease ends", async () => {
  const claim = { kind: "translate" as const, token: ids.token, limit: 5, leasedUntil: later };
  expect(await database.claimProviderJobs({ ...claim, now: at })).toEqual([]);
  expect(await database.claimProviderJobs({ ...claim, now: later })).toHaveLength(1);
});

test("secrets stay readable, and their key stays in use", async () => {
  expect((await database.findChannelSecret(ids.channel))?.encryptedSecret).toEqual(channelSecret);
  expect(await database.findCredentialSecret(ids.credential)).toEqual(credentialSecret);
  const keyIds = [box.keyIdOf(channelSecret)];
  expect(await database.listEncryptionKeys()).toEqual(keyIds);
  expect(await database.deleteUnusedEncryptionKeys(keyIds)).toEqual(keyIds);
});

test("analysis, fine-tuning, alerts, cooldowns and login attempts are kept", async () => {
  const [review] = await database.loadReviews({ listingId: ids.listing, ids: [ids.review] });
  expect(review?.analysis).toMatchObject({ fineTuning: 4, provider: "some-model" });
  expect(await database.listFineTunings(9)).toMatchObject([
    { language: "de", number: 4, takenAt: at, triedAt: later, outcome: "better" },
  ]);
  expect([...(await database.listRatingDropAlerts(ids.app))]).toEqual([ids.channel]);
  expect(await database.findProviderState("translate")).toMatchObject({ cooldownUntil: later });
  const counted = await database.countLoginAttempts({ keys: ["a"], now: at, endsAt: later });
  expect(counted).toMatchObject([{ key: "a", attemptCount: 4 }]);
});

test("an open session goes on, and was last proved when it began", async () => {
  const query = { userId: ids.user, now: at, idleSince: new Date(0) };
  const [session] = await database.listSessions(query);
  expect(session).toMatchObject({ id: ids.session, startedAt: at, provedAt: at });
});

async function migrateTo(number: number): Promise<void> {
  const folder = new URL("./migrations/", import.meta.url);
  const names = (await fs.readdir(folder)).sort().slice(0, number);
  await client.query(
    "create table migrations (number integer primary key, name text not null, applied_at timestamptz not null default now())",
  );
  for (const [index, name] of names.entries()) {
    await client.query(await fs.readFile(new URL(name, folder), "utf8"));
    await client.query("insert into migrations (number, name) values ($1, $2)", [index + 1, name]);
  }
}

test("stored topics are counted by how their reviews feel", async () => {
  for (const table of ["topic_days", "topic_weeks"]) {
    const { rows } = await client.query(
      `select topic, region, total, positive_reviews, negative_reviews from ${table}`,
    );
    const felt = { topic: "sync", total: 1, positive_reviews: 0, negative_reviews: 1 };
    expect(rows).toEqual([{ ...felt, region: "de" }]);
  }
});

test("stored reviews are counted by language and version, for their storefront and for the whole listing", async () => {
  const { rows } = await client.query(
    "select region, facet, value, total, negative from facet_days order by region, facet",
  );
  const counted = { total: 1, negative: 1 };
  expect(rows).toEqual(
    ["", "de"].flatMap((region) => [
      { region, facet: "language", value: "de", ...counted },
      { region, facet: "version", value: "1", ...counted },
    ]),
  );
});

async function fill(): Promise<void> {
  const rows: Record<string, Record<string, unknown>> = {
    workspaces: { id: ids.workspace, name: "Team", plan: "studio", created_at: at },
    listings: { id: ids.listing, store: "appstore", external_app_id: "1", created_at: at },
    apps: {
      id: ids.app,
      workspace_id: ids.workspace,
      listing_id: ids.listing,
      countries: ["us"],
      languages: [],
      added_at: at,
    },
    reviews: {
      listing_id: ids.listing,
      id: ids.review,
      store_review_id: "r",
      author: "Ada",
      rating: 2,
      body: "Schade",
      version: "1",
      country: "de",
      date: at,
      first_seen_at: at,
      analysis_version: 9,
      language: "de",
      sentiment: "negative",
      topics: ["sync"],
      adaptation: 4,
      analysed_by: "some-model",
    },
    feeds: {
      listing_id: ids.listing,
      kind: "reviews",
      region: "us",
      next_due_at: at,
      swept_at: at,
      sweep_due_at: later,
      held_reading: { average: 4.5, total: 2, histogram: null },
      progress: {
        startedAt: at,
        savedAt: later,
        isSweep: true,
        pageCount: 3,
        reviewCount: 60,
        rejectedCount: 0,
        newCount: 5,
        editedCount: 1,
        holeCount: 2,
        sawFirstPage: true,
        newest: at,
        cursor: "next",
      },
    },
    channels: {
      id: ids.channel,
      workspace_id: ids.workspace,
      name: "Hook",
      url: "https://example.com/",
      host: "example.com",
      events: ["review.created"],
      translate: false,
      drop_threshold: 0.1,
      period_days: 7,
      min_sample_size: 30,
      sealed_secret: channelSecret,
      created_at: at,
    },
    users: {
      id: ids.user,
      email: "ida@example.com",
      name: "Ida",
      password_hash: "",
      created_at: at,
    },
    sessions: {
      id: ids.session,
      token_hash: Buffer.alloc(32),
      user_id: ids.user,
      started_at: at,
      seen_at: later,
      ends_at: later,
      address: "192.0.2.1",
      browser: "",
    },
    credentials: {
      id: ids.credential,
      workspace_id: ids.workspace,
      store: "appstore",
      name: "Key",
      subject: "K1",
      sealed_secret: credentialSecret,
      created_at: at,
    },
    provider_jobs: {
      listing_id: ids.listing,
      review_id: ids.review,
      kind: "translate",
      content_hash: Buffer.from("hash"),
      language: "de",
      rating: 2,
      body: "Schade",
      is_urgent: false,
      queued_at: at,
      due_at: later,
      lease_token: ids.token,
    },
    adaptations: {
      language: "de",
      analysis_version: 9,
      number: 4,
      weights: Buffer.from("w"),
      taken_at: at,
      tried_at: later,
      outcome: "better",
    },
    rating_episodes: { channel_id: ids.channel, app_id: ids.app, opened_at: at },
    provider_states: { kind: "translate", provider: "p", rests_until: later },
    sign_in_tries: { key: "a", try_count: 3, ends_at: later },
  };
  for (const [table, row] of Object.entries(rows)) await insert(table, row);
}

async function insert(table: string, row: Record<string, unknown>): Promise<void> {
  const columns = Object.keys(row);
  const parameters = columns.map((_, index) => `$${index + 1}`);
  await client.query(
    `insert into ${table} (${columns.join(", ")}) values (${parameters.join(", ")})`,
    Object.values(row),
  );
}
