// A world with one app, channels, and the way of its reviews with providers, whose workers a test runs
// round by round. Languages are what a review's hint says: nothing here depends on telling them.

import type { Analysis, AnalysisInput } from "../../src/domain/analysis.ts";
import type { Channel } from "../../src/domain/channel.ts";
import type { EventBody } from "../../src/domain/event.ts";
import type { App } from "../../src/domain/listing.ts";
import type { Review, SourceReview } from "../../src/domain/review.ts";
import { createAnalysisWriter } from "../../src/enrichment/apply-analyses.ts";
import { createTranslationWriter } from "../../src/enrichment/apply-translations.ts";
import {
  type AnalysisHandlerDeps,
  createAnalysisHandler,
} from "../../src/enrichment/providers/analysis-handler.ts";
import { runJobRound } from "../../src/enrichment/providers/job-worker.ts";
import { createTranslationHandler } from "../../src/enrichment/translators/translation-handler.ts";
import type { Translator } from "../../src/enrichment/translators/translator.ts";
import type { Announce, IngestResult } from "../../src/ingest/ingest-batch.ts";
import { createIngest } from "../../src/ingest/ingest-reviews.ts";
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
  const note = (level: LogEntry["level"]) => (facts: Record<string, unknown>, message: string) =>
    void logEntries.push({ level, facts, message });
  const log: Log = { debug() {}, info: note("info"), warn: note("warn"), error: note("warn") };
  const room = { clock, log, delay: async () => {}, jobs: database };
  const ingest = createIngest({
    clock,
    database,
    analyse: analyzeLocally,
    providers: { translateWaitMs: waitMs, isAnalysisEnabled: true },
  });

  return {
    ...world,
    /** What was logged. */
    told: logEntries,
    addApp: (): Promise<App> => anApp(database, { workspaceId: world.workspaceId }),
    async addChannelFor(app: App, given: Partial<Channel> = {}): Promise<Channel> {
      const url = "https://hooks.example.com/in";
      const { channel } = await world.addChannel({
        url,
        apps: [app.id],
        translate: true,
        ...given,
      });
      return channel;
    },
    async ingestReviews(
      app: App,
      reviews: SourceReview[],
      announce: Announce = "all",
    ): Promise<IngestResult> {
      const listing = await database.findListing(app.listingId);
      if (!listing) throw new Error("the listing is gone");
      return ingest({ listing, reviews, announce, source: "store", undatedAt: null });
    },
    /** One round of the translating worker. */
    translate(translator: Translator, charactersPerDay = 1_000_000) {
      const finish = createTranslationWriter({ clock, database });
      const { loadTranslations } = database;
      const desk = { clock, translator, charactersPerDay, loadTranslations, finish };
      return runJobRound(room, createTranslationHandler(desk));
    },
    /** One round of the analysing worker. */
    analyse(chat: AnalysisHandlerDeps["chat"], reviewsPerDay = 1_000) {
      const finish = createAnalysisWriter(database);
      const topicNames = ["ads", "crash", "praise"];
      return runJobRound(room, createAnalysisHandler({ chat, topicNames, reviewsPerDay, finish }));
    },
    /** What is due is taken as the engine takes it, and its bodies are read. */
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

/** What the built-in analysis stands for here: neutral, and about crashes. */
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
  world: ChannelWorld | ProviderFixture,
  id: number,
  given: Partial<SourceReview> = {},
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
    date: world.clock.now(),
    votes: null,
    reply: null,
    ...given,
  };
}
