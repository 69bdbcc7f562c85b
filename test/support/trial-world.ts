// The whole way of a review while a store changes its layout: simulated store, changed answers, crawl, judgement, learning,
// database, deliveries. Every stored field and every event is compared with what is true in the store.

import { createRandom } from "../../simulator/random.ts";
import type { SimulatedReview } from "../../simulator/store-facts.ts";
import type { FeedKey } from "../../src/domain/feed/feed.ts";
import type { Review } from "../../src/domain/review/review.ts";
import type { Http } from "../../src/lib/http.ts";
import { hourMs, minuteMs } from "../../src/lib/timestamp.ts";
import type { ShapedStore } from "../../src/stores/shapes/known-values.ts";
import { type CrawlFixture, openCrawlFixture } from "./crawl-fixture.ts";
import type { LayoutChange } from "./layout-change.ts";
import { changeBody } from "./layout-changes.ts";
import type { TestContext } from "./test-context.ts";

/** Which answers of the store are changed. */
export type Part =
  | "all"
  | "every second request"
  | "half of the requests"
  | "half of the regions"
  | "region by region";

export type Trial = {
  change: LayoutChange;
  /** Reviews in each feed of the known app. */
  sizes: readonly number[];
  part: Part;
  /** An app that is added after the change. */
  hasNewApp: boolean;
  seed: number;
};

export type TrialResult = {
  outcome: "healed" | "stopped" | "wrong" | "lost";
  /** Wrong values and events, in words. */
  faults: string[];
  /** Feeds that were not read at the end of the change. */
  held: string[];
};

const regionsOf: Readonly<Record<ShapedStore, readonly string[]>> = {
  googleplay: ["en", "de", "fr", "es", "pt"],
  appstore: ["us", "de", "fr", "es", "br"],
};
/** Hours after the change at which each feed is read. */
const roundHours = [0, 2, 5, 13];

export async function runTrial(context: TestContext, trial: Trial): Promise<TrialResult> {
  const world = new TrialWorld(context, trial);
  await world.open();
  try {
    return await world.run();
  } finally {
    await world.close();
  }
}

class TrialWorld {
  readonly #context: TestContext;
  readonly #trial: Trial;
  readonly #regions: readonly string[];
  readonly #random: () => number;
  readonly #faults = new Set<string>();
  /** Reviews that an edit really changed. */
  readonly #edited = new Set<string>();
  /** Reviews that were written since the app was followed. */
  readonly #written = new Set<string>();
  #fixtures: CrawlFixture[] = [];
  #isChanged = false;
  #round = 0;
  #requestCount = 0;
  #writtenCount = 0;

  constructor(context: TestContext, trial: Trial) {
    this.#context = context;
    this.#trial = trial;
    this.#regions = regionsOf[trial.change.store].slice(0, trial.sizes.length);
    this.#random = createRandom(trial.seed).next;
  }

  async open(): Promise<void> {
    const app = await this.#openApp();
    for (const [index, region] of this.#regions.entries()) {
      for (let number = this.#trial.sizes[index] ?? 0; number > 0; number -= 1) {
        this.#write(app, { region, ageMs: number * 95 * minuteMs });
      }
    }
    await app.crawl();
    app.harness.clock.advance(2 * hourMs);
    this.#written.clear();
    for (const region of this.#regions) this.#write(app, { region, ageMs: minuteMs });
    await this.#crawl(app);
    app.harness.clock.advance(2 * hourMs);
    await this.#check("before the change");
  }

  async run(): Promise<TrialResult> {
    const [app] = this.#fixtures;
    if (!app) throw new Error("the world is not open");
    this.#isChanged = true;
    for (const [index, hours] of roundHours.entries()) {
      this.#round = index;
      app.harness.clock.advance((hours - (roundHours[index - 1] ?? 0)) * hourMs);
      this.#live(app);
      if (index === 0 && this.#trial.hasNewApp) await this.#addApp();
      for (const fixture of this.#shuffled(this.#fixtures)) await this.#crawl(fixture);
      await this.#check(`round ${index}`);
    }
    const held = await this.#listHeld();
    const unseen = held.length === 0 ? await this.#listMissing() : [];
    this.#isChanged = false;
    for (let round = 0; round < 2; round += 1) {
      app.harness.clock.advance(26 * hourMs);
      for (const fixture of this.#fixtures) await this.#crawl(fixture);
      await this.#check(`${round} after the change`);
    }
    const missing = await this.#listMissing();
    const faults = [...this.#faults];
    const lost = [...unseen.map((id) => `unseen ${id}`), ...missing.map((id) => `missing ${id}`)];
    if (faults.length > 0) return { outcome: "wrong", faults, held };
    if (lost.length > 0) return { outcome: "lost", faults: lost, held };
    return { outcome: held.length === 0 ? "healed" : "stopped", faults, held };
  }

  async close(): Promise<void> {
    const { database } = this.#context;
    const now = new Date(0);
    for (const { listing } of this.#fixtures) {
      for (const kind of ["reviews", "ratings"] as const)
        await database.setFeeds({ listingId: listing.id, kind, regions: [], now });
    }
    for (const learned of await database.listLearnedShapes())
      await database.saveLearnedShape({ ...learned, state: "withdrawn", actor: "test" });
    await this.#fixtures[0]?.close();
  }

  async #openApp(regions = this.#regions): Promise<CrawlFixture> {
    const { store } = this.#trial.change;
    const [beside] = this.#fixtures;
    const fixture = await openCrawlFixture(this.#context, {
      store,
      ...(store === "appstore" ? { countries: [...regions] } : { languages: [...regions] }),
      ...(beside ? { beside } : { changeHttp: (http: Http) => this.#change(http) }),
    });
    this.#fixtures.push(fixture);
    return fixture;
  }

  /** An app with 25 reviews that is followed from now on. */
  async #addApp(): Promise<void> {
    const app = await this.#openApp(this.#regions.slice(0, 1));
    const [region = ""] = this.#regions;
    for (let number = 25; number > 0; number -= 1) {
      this.#written.delete(this.#write(app, { region, ageMs: number * 7 * hourMs }));
    }
  }

  /** People go on meanwhile: a new review in each feed, an edit and a reply. */
  #live(app: CrawlFixture): void {
    for (const region of this.#regions) this.#write(app, { region, ageMs: 5 * minuteMs });
    const { storeState, clock } = app.harness;
    const reviews = this.#shuffled(storeState.reviewsNow(app.key, this.#regions[0] ?? ""));
    const [edited, replied] = reviews.filter(
      ({ storeReviewId }) => !this.#written.has(storeReviewId),
    );
    const at = new Date(clock.now().getTime() - 3 * minuteMs);
    if (edited && reviews.length > 4) {
      const { storeReviewId } = edited;
      this.#edited.add(storeReviewId);
      const rating = 1 + (edited.rating % 5);
      const text = `On second thought, round ${this.#round} of ${storeReviewId}`;
      storeState.editReview(app.key, { storeReviewId, rating, text, at });
    }
    if (replied && !replied.reply && this.#trial.change.store === "googleplay") {
      const { storeReviewId } = replied;
      const reply = { text: `Thank you, writer of ${storeReviewId}`, at };
      storeState.addReply(app.key, { storeReviewId, reply });
    }
  }

  #write(app: CrawlFixture, { region, ageMs }: { region: string; ageMs: number }): string {
    const { store } = this.#trial.change;
    const { storeState, clock } = app.harness;
    this.#writtenCount += 1;
    const number = this.#writtenCount;
    const at = new Date(clock.now().getTime() - ageMs + number);
    const isApple = store === "appstore";
    const id = storeState.addReview(app.key, {
      region,
      rating: 1 + Math.floor(this.#random() * 5),
      author: `Reader ${number} of ${region}`,
      title: isApple ? `Chart ${number}` : null,
      text: `The chart of harbour ${number} won't open & freezes in ${region}`,
      version: `2.${number % 4}.1`,
      votes: Math.floor(this.#random() * 9),
      at: isApple ? new Date(Math.floor(at.getTime() / 1_000) * 1_000) : at,
      ...(number % 8 === 0 && !isApple
        ? { reply: { text: `Thank you, reader ${number}`, at: new Date(at.getTime() + minuteMs) } }
        : {}),
    });
    this.#written.add(id);
    return id;
  }

  /** The feeds of an app in another order each time. */
  async #crawl(fixture: CrawlFixture): Promise<void> {
    const { feeds } = fixture.deps;
    const claim = feeds.claimFeedsOfListing.bind(feeds);
    await fixture.crawl(
      {},
      {
        ...fixture.deps,
        feeds: {
          ...feeds,
          claimFeedsOfListing: async (lease) => this.#shuffled((await claim(lease)).sort(byName)),
        },
      },
    );
  }

  #shuffled<Item>(items: readonly Item[]): Item[] {
    return items
      .map((item) => ({ item, at: this.#random() }))
      .sort((one, other) => one.at - other.at)
      .map(({ item }) => item);
  }

  #change(http: Http): Http {
    return async (request) => {
      const response = await http(request);
      if (response.kind !== "response" || !this.#isOfChange(request.url)) return response;
      const body = changeBody(this.#trial.change, request.url, response.body.toString());
      return { ...response, body: Buffer.from(body) };
    };
  }

  #isOfChange(url: string): boolean {
    if (!this.#isChanged) return false;
    const region = regionOf(url);
    const index = this.#regions.indexOf(region);
    switch (this.#trial.part) {
      case "all":
        return true;
      case "every second request":
        this.#requestCount += 1;
        return this.#requestCount % 2 === 0;
      case "half of the requests":
        return this.#random() < 0.5;
      case "half of the regions":
        return index % 2 === 0;
      case "region by region":
        return index <= this.#round;
    }
  }

  async #listHeld(): Promise<string[]> {
    const held: string[] = [];
    for (const [index, { listing }] of this.#fixtures.entries()) {
      const feeds = await this.#context.database.listFeeds(listing.id);
      for (const { kind, region, outcome, lastError } of feeds) {
        if (kind === "reviews" && outcome === "unknown")
          held.push(`${index} ${region}: ${lastError}`);
      }
    }
    return held;
  }

  async #listMissing(): Promise<string[]> {
    const missing: string[] = [];
    for (const fixture of this.#fixtures) {
      const stored = new Set(
        (await fixture.storedReviews()).map(({ storeReviewId }) => storeReviewId),
      );
      for (const { storeReviewId, region } of this.#truthOf(fixture).values()) {
        if (!stored.has(storeReviewId)) missing.push(`${region} ${storeReviewId}`);
      }
    }
    return missing;
  }

  #truthOf({ harness, key }: CrawlFixture): Map<string, SimulatedReview> {
    const reviews = harness.storeState.reviewsNow(key, "all");
    return new Map(reviews.map((review) => [review.storeReviewId, review]));
  }

  async #check(when: string): Promise<void> {
    for (const [index, fixture] of this.#fixtures.entries()) {
      const truth = this.#truthOf(fixture);
      for (const review of await fixture.storedReviews()) {
        const wrong = this.#findWrong(review, truth.get(review.storeReviewId));
        if (wrong !== null) this.#faults.add(`${when}, app ${index}: ${wrong}`);
      }
      await this.#checkEvents(fixture, when);
    }
  }

  async #checkEvents(fixture: CrawlFixture, when: string): Promise<void> {
    const created = new Set<string>();
    for (const { event, storeReviewId } of await fixture.queuedEvents()) {
      const isCreated = event === "review.created";
      const isTwice = isCreated && created.has(storeReviewId);
      const isOld = isCreated && !this.#written.has(storeReviewId);
      const isNoEdit = event === "review.updated" && !this.#edited.has(storeReviewId);
      if (isTwice || isOld || isNoEdit) this.#faults.add(`${when}: ${event} of ${storeReviewId}`);
      if (isCreated) created.add(storeReviewId);
    }
  }

  #findWrong(review: Review, truth: SimulatedReview | undefined): string | null {
    const { storeReviewId: id, rating, title, text, author, version, votes, reply } = review;
    if (!truth) return `there is no review ${id}`;
    const isEdited = this.#edited.has(id);
    const isOlder = isEdited && review.date < truth.date;
    const wrong = (name: string, found: unknown): string =>
      `${name} of ${id} is ${JSON.stringify(found)}`;
    if (!isOlder && rating !== truth.rating) return wrong("rating", rating);
    if (!isOlder && text !== truth.text) return wrong("text", text);
    if (!isOlder && (title ?? "") !== (truth.title ?? "")) return wrong("title", title);
    if (author !== truth.author && author !== "") return wrong("author", author);
    if (version !== truth.version && version !== "") return wrong("version", version);
    if (votes !== truth.votes && votes !== null) return wrong("votes", votes);
    if (reply !== null && reply.text !== truth.reply?.text) return wrong("reply", reply);
    const isDated = Math.abs(review.date.getTime() - truth.date.getTime()) < 1_000;
    if (!isDated && !isOlder && !review.isDateAssumed) return wrong("date", review.date);
    if (review.editedAt !== null && !isEdited) return `${id} is taken for edited`;
    return null;
  }
}

/** The database returns them in an order of its own. */
function byName(one: FeedKey, other: FeedKey): number {
  const nameOf = ({ kind, region }: FeedKey): string => `${kind} ${region}`;
  return nameOf(one) < nameOf(other) ? -1 : 1;
}

/** The language or the storefront that a request is about. */
function regionOf(url: string): string {
  const { pathname, searchParams } = new URL(url);
  return (
    searchParams.get("hl") ?? searchParams.get("cc") ?? pathname.match(/^\/([a-z]{2})\//)?.[1] ?? ""
  );
}
