// A world with one app, channels, and the way of its reviews with providers, whose workers a test runs
// round by round. Languages are what a review's hint says: nothing here depends on telling them.
import { openFinishAnalyses } from "../../src/analysis-pipeline.ts";
import type { Announce, IngestResult } from "../../src/collect/ingest.ts";
import type { HttpClient } from "../../src/lib/http-client.ts";
import type { Log } from "../../src/lib/log.ts";
import { minuteMs } from "../../src/lib/timestamp.ts";
import { openIngest } from "../../src/pipeline.ts";
import { type AnalyseRoom, openAnalyseDesk } from "../../src/providers/analyse-desk.ts";
import { workOnce } from "../../src/providers/worker.ts";
import type { Analysis, AnalysisInput } from "../../src/reviews/analysis.ts";
import type { Channel } from "../../src/reviews/channel.ts";
import type { EventBody } from "../../src/reviews/event.ts";
import type { App } from "../../src/reviews/listing.ts";
import type { Review, SourceReview } from "../../src/reviews/review.ts";
import { openTranslateDesk } from "../../src/translate/translate-desk.ts";
import type { Translator } from "../../src/translate/translator.ts";
import { openFinishTranslations } from "../../src/translation-pipeline.ts";
import { type ChannelWorld, openChannelWorld } from "./channel-world.ts";
import { claim } from "./claims.ts";
import { anApp } from "./world.ts";

export const waitMs = 10 * minuteMs;

export type Told = { level: "info" | "warn"; message: string; facts: Record<string, unknown> };
export type ProviderScene = Awaited<ReturnType<typeof openProviderScene>>;

export async function openProviderScene() {
  const world = await openChannelWorld();
  const { clock, keep } = world;
  const told: Told[] = [];
  const note = (level: Told["level"]) => (facts: Record<string, unknown>, message: string) =>
    void told.push({ level, facts, message });
  const log: Log = { debug() {}, info: note("info"), warn: note("warn"), error: note("warn") };
  const room = { clock, log, pause: async () => {}, jobs: keep };
  const ingest = openIngest({
    clock,
    keep,
    analyse: sayLocally,
    providers: { translateWaitMs: waitMs, isAnalysed: true },
  });

  return {
    ...world,
    /** What was logged. */
    told,
    newApp: (): Promise<App> => anApp(keep, { workspaceId: world.workspaceId }),
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
      const listing = await keep.findListing(app.listingId);
      if (!listing) throw new Error("the listing is gone");
      return ingest({ listing, reviews, announce, source: "store", undatedAt: null });
    },
    /** One round of the translating worker. */
    translate(translator: Translator, charactersPerDay = 1_000_000) {
      const finish = openFinishTranslations({ clock, keep });
      const { loadTranslations } = keep;
      const desk = { clock, translator, charactersPerDay, loadTranslations, finish };
      return workOnce(room, openTranslateDesk(desk));
    },
    /** One round of the analysing worker. */
    analyse(chat: AnalyseRoom["chat"], reviewsPerDay = 1_000) {
      const finish = openFinishAnalyses(keep);
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
      return keep.listReviewsById({ listingId, afterId: null, limit: 100 });
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
