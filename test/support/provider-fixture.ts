// Ingest with translation and analysis providers: apps, channels, and workers that a test runs round by
// round. The language of a review is its hint, so nothing depends on the language detector.

import type { Channel } from "../../src/domain/channel/channel.ts";
import type { EventBody } from "../../src/domain/channel/event.ts";
import type { App } from "../../src/domain/feed/listing.ts";
import type { Analysis, AnalysisInput } from "../../src/domain/review/analysis.ts";
import type { Review, SourceReview } from "../../src/domain/review/review.ts";
import { createAnalysisWriter } from "../../src/features/providers/apply-analyses.ts";
import { createTranslationWriter } from "../../src/features/providers/apply-translations.ts";
import { createJobQueue } from "../../src/features/providers/enqueue-jobs.ts";
import {
  type AnalysisHandlerDeps,
  createAnalysisHandler,
} from "../../src/features/providers/providers/analysis-handler.ts";
import { runJobRound } from "../../src/features/providers/providers/job-worker.ts";
import { createTranslationHandler } from "../../src/features/providers/translators/translation-handler.ts";
import type { Translator } from "../../src/features/providers/translators/translator.ts";
import type { IngestResult } from "../../src/ingest/ingest-batch.ts";
import { createIngest } from "../../src/ingest/ingest-reviews.ts";
import type { NotifyPolicy } from "../../src/ingest/notify-policy.ts";
import type { HttpClient } from "../../src/lib/http-client.ts";
import type { Log } from "../../src/lib/log.ts";
import { minuteMs } from "../../src/lib/timestamp.ts";
import { type ChannelWorld, openChannelWorld } from "./channel-world.ts";
import { claim } from "./claims.ts";
import { anApp } from "./factories.ts";

export const waitMs = 10 * minuteMs;

export type LogEntry = { level: "info" | "warn"; message: string; facts: Record<string, unknown> };
export type ProviderFixture = Awaited<ReturnType<typeof openProviderFixture>>;

export async function openProviderFixture() {
  const world = await openChannelWorld();
  const { clock, database } = world;
  const logEntries: LogEntry[] = [];
  const record = (level: LogEntry["level"]) => (facts: Record<string, unknown>, message: string) =>
    void logEntries.push({ level, facts, message });
  const log: Log = {
    debug() {},
    info: record("info"),
    warn: record("warn"),
    error: record("warn"),
  };
  const deps = { clock, log, delay: async () => {}, jobs: database };
  const ingest = createIngest({
    clock,
    database,
    analyze: analyzeLocally,
    jobs: createJobQueue({ translateWaitMs: waitMs, isAnalysisEnabled: true }),
  });

  return {
    ...world,
    logEntries,
    addApp: (): Promise<App> =>
      anApp(database, { workspaceId: world.workspaceId, countries: ["es", "us", "en", "tlh"] }),
    async addChannelFor(app: App, overrides: Partial<Channel> = {}): Promise<Channel> {
      const url = "https://hooks.example.com/in";
      const { channel } = await world.addChannel({
        url,
        apps: [app.id],
        translate: true,
        ...overrides,
      });
      return channel;
    },
    async ingestReviews(
      app: App,
      reviews: SourceReview[],
      notifyPolicy: NotifyPolicy = { kind: "always" },
    ): Promise<IngestResult> {
      const listing = await database.findListing(app.listingId);
      if (!listing) throw new Error("the listing is missing");
      return ingest({ listing, reviews, notifyPolicy, source: "store", undatedAt: null });
    },
    /** One round of the translation worker. */
    translate(translator: Translator, charactersPerDay = 1_000_000) {
      const save = createTranslationWriter({ clock, database });
      const { loadTranslations } = database;
      const handlerDeps = { clock, translator, charactersPerDay, loadTranslations, save };
      return runJobRound(deps, createTranslationHandler(handlerDeps));
    },
    /** One round of the analysis worker. */
    analyze(chat: AnalysisHandlerDeps["chat"], reviewsPerDay = 1_000) {
      const save = createAnalysisWriter(database);
      const topicNames = ["ads", "crash", "praise"];
      return runJobRound(deps, createAnalysisHandler({ chat, topicNames, reviewsPerDay, save }));
    },
    /** Claims the due deliveries, as the delivery worker does, and returns their bodies. */
    async claimBodies(): Promise<EventBody[]> {
      const claimed = await claim(world);
      return claimed.map(({ body }) => JSON.parse(body.toString("utf8")));
    },
    async reviews(app: App): Promise<Review[]> {
      const { listingId } = app;
      return database.listReviewsById({ listingId, afterId: null, limit: 100 });
    },
  };
}

export function createChat(baseUrl: string, apiKey: string, { http }: HttpClient) {
  return { http, baseUrl, apiKey, model: "small-1" };
}

/** Replaces the built-in analysis: every review is neutral and about crashes. */
function analyzeLocally({ languageHint, text }: AnalysisInput): Analysis {
  const sentiment = { label: "neutral" as const, score: 0, clauseMin: 0, clauseMax: 0 };
  return {
    version: 1,
    language: languageHint ?? "und",
    sentiment: text === "" ? null : sentiment,
    topics: ["crash"],
  };
}

export function aSourceReview(
  { clock }: ChannelWorld | ProviderFixture,
  id: number,
  overrides: Partial<SourceReview> = {},
): SourceReview {
  return {
    storeReviewId: String(id),
    author: "riverstone",
    rating: 4,
    title: "Mareas",
    text: "Las mareas son exactas.",
    version: "1.0",
    country: "es",
    languageHint: "es",
    date: clock.now(),
    votes: null,
    reply: null,
    ...overrides,
  };
}
