// A simulated store in a process of its own; its argument is the number of reviews in each language.

import { createRandom } from "../../simulator/random.ts";
import { openSimulator } from "../../simulator/simulator.ts";
import type { AppKey, SimulatedReview } from "../../simulator/store-facts.ts";
import { StoreState } from "../../simulator/store-state.ts";
import { systemClock } from "../../src/lib/clock.ts";
import { uuidV5 } from "../../src/lib/uuid.ts";
import { fiveYearsMs, generateOne, languages } from "./generated-rows.ts";

/** A store without changes: its reviews are generated once, in the order of the store. */
class FixedStoreState extends StoreState {
  readonly #reviews = new Map<string, SimulatedReview[]>();
  readonly #perLanguage: number;

  constructor(perLanguage: number) {
    super(systemClock);
    this.#perLanguage = perLanguage;
    this.addApp({ store: "googleplay", externalAppId: "com.example.bench" });
  }

  override reviewsNow(app: AppKey, region: string): SimulatedReview[] {
    if (app.store !== "googleplay") return super.reviewsNow(app, region);
    const reviews = this.#reviews.get(region) ?? generateReviews(region, this.#perLanguage);
    this.#reviews.set(region, reviews);
    return reviews;
  }
}

function generateReviews(language: string, count: number): SimulatedReview[] {
  const random = createRandom(languages.indexOf(language));
  const newestMs = systemClock.now().getTime();
  return Array.from({ length: count }, (_, number) => ({
    ...generateOne(random, language),
    title: null,
    version: "4.2.1",
    votes: 0,
    region: language,
    reply: null,
    storeReviewId: uuidV5(`${language}/${number}`, "1f6f7f0e-6d5c-5b7a-8a53-0f3f7f6f9b10"),
    date: new Date(newestMs - Math.floor((number / count) * fiveYearsMs)),
  }));
}

const storeState = new FixedStoreState(Number(process.argv[2]));
for (const language of languages) {
  storeState.reviewsNow({ store: "googleplay", externalAppId: "com.example.bench" }, language);
}
const simulator = await openSimulator({ clock: systemClock, storeState });
process.send?.(simulator.url);
process.once("disconnect", () => void simulator.close());
