// A world with one app, channels, and the way of its reviews with providers, whose workers a test runs
// round by round. Languages are what a review's hint says: nothing here depends on telling them.

import type { Analysis, AnalysisInput } from "../../src/domain/analysis.ts";
import type { Channel } from "../../src/domain/channel.ts";
import type { EventBody } from "../../src/domain/event.ts";
import type { App } from "../../src/domain/listing.ts";
import type { Review, SourceReview } from "../../src/domain/review.ts";
import { openFinishAnalyses } from "../../src/enrichment/apply-analyses.ts";
import { openFinishTranslations } from "../../src/enrichment/apply-translations.ts";
import {
  type AnalyseRoom,
  openAnalyseDesk,
} from "../../src/enrichment/providers/analysis-handler.ts";
import { workOnce } from "../../src/enrichment/providers/job-worker.ts";
import { openTranslateDesk } from "../../src/enrichment/translators/translation-handler.ts";
import type { Translator } from "../../src/enrichment/translators/translator.ts";
import type { Announce, IngestResult } from "../../src/ingest/ingest-batch.ts";
import { openIngest } from "../../src/ingest/ingest-reviews.ts";
import type { HttpClient } from "../../src/lib/http-client.ts";
import type { Log } from "../../src/lib/log.ts";
import { minuteMs } from "../../src/lib/timestamp.ts";
import { type ChannelWorld, openChannelWorld } from "./channel-world.ts";
import { claim } from "./claims.ts";
import { anApp } from "./world.ts";

export const waitMs = 10 * minuteMs;

export type Told = { level: "info" | "warn"; message: string; facts: Record<string, unknown> };
export type ProviderScene = Awaited<ReturnType<typeof openProviderScene>>;

export async function openProviderScene() {
  const world = await openChannelWorld();
  const { clock, database } = world;
  const told: Told[] = [];
  const note = (level: Told["level"]) => (facts: Record<string, unknown>, message: string) =>
    void told.push({ level, facts, message });
  const log: Log = { debug() {}, info: note("info"), warn: note("warn"), error: note("warn") };
  const room = { clock, log, delay: async () => {}, jobs: database };
  const ingest = openIngest({
    clock,
    database,
    analyse: sayLocally,
    providers: { translateWaitMs: waitMs, isAnalysed: true },
  });

  return {
    ...world,
    /** What was logged. */
    told,
    newApp: (): Promise<App> => anApp(database, { workspaceId: world.workspaceId }),
    async addChannelTo(app: App, given: Partial<Channel> = {}): Promise<Channel> {
      const url = "https://hooks.example.com/in";
      const { channel } = await world.addChannel({
        url,
        apps: [app.id],
        translate: true,
        ...given,
      });
      return channel;
    },
    async take(
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
      const finish = openFinishTranslations({ clock, database });
      const { loadTranslations } = database;
      const desk = { clock, translator, charactersPerDay, loadTranslations, finish };
      return workOnce(room, openTranslateDesk(desk));
    },
    /** One round of the analysing worker. */
    analyse(chat: AnalyseRoom["chat"], reviewsPerDay = 1_000) {
      const finish = openFinishAnalyses(database);
      const topicNames = ["ads", "crash", "praise"];
      return workOnce(room, openAnalyseDesk({ chat, topicNames, reviewsPerDay, finish }));
    },
    /** What is due is taken as the engine takes it, and its bodies are read. */
    async send(): Promise<EventBody[]> {
      const claimed = await claim(world);
      return claimed.map(({ body }) => JSON.parse(body.toString("utf8")));
    },
    async reviews(app: App): Promise<Review[]> {
      const { listingId } = app;
      return database.listReviewsById({ listingId, afterId: null, limit: 100 });
    },
  };
}

export function chatAt(baseUrl: string, apiKey: string, { http }: HttpClient) {
  return { http, baseUrl, apiKey, model: "small-1" };
}

/** What the built-in analysis stands for here: neutral, and about crashes. */
function sayLocally({ languageHint, text }: AnalysisInput): Analysis {
  const sentiment = { label: "neutral" as const, score: 0, clauseMin: 0, clauseMax: 0 };
  return {
    version: 1,
    language: languageHint ?? "und",
    sentiment: text === "" ? null : sentiment,
    topics: ["crash"],
  };
}

export function stated(
  world: ChannelWorld | ProviderScene,
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
