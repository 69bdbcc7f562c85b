// A simulated store in a process of its own, with as many reviews in each language as it is told.
import { createRandom } from "../../simulator/random.ts";
import { openSimulator } from "../../simulator/simulator.ts";
import { type AppKey, type SimulatedReview, StoreState } from "../../simulator/store-state.ts";
import { systemClock } from "../../src/lib/clock.ts";
import { uuidV5 } from "../../src/lib/uuid.ts";
import { fiveYearsMs, inventOne, languages } from "./invented-rows.ts";

/** A world that stands still: its reviews are made once, in the order of the store. */
class StillWorld extends StoreState {
  readonly #reviews = new Map<string, SimulatedReview[]>();
  readonly #perLanguage: number;

  constructor(perLanguage: number) {
    super(systemClock);
    this.#perLanguage = perLanguage;
    this.addApp({ store: "googleplay", externalAppId: "com.example.bench" });
  }

  override reviewsNow(app: AppKey, region: string): SimulatedReview[] {
    if (app.store !== "googleplay") return super.reviewsNow(app, region);
    const made = this.#reviews.get(region) ?? makeReviews(region, this.#perLanguage);
    this.#reviews.set(region, made);
    return made;
  }
}

function makeReviews(language: string, count: number): SimulatedReview[] {
  const random = createRandom(languages.indexOf(language));
  const newestMs = systemClock.now().getTime();
  return Array.from({ length: count }, (_, number) => ({
    ...inventOne(random, language),
    title: null,
    version: "4.2.1",
    votes: 0,
    region: language,
    reply: null,
    storeReviewId: uuidV5(`${language}/${number}`, "1f6f7f0e-6d5c-5b7a-8a53-0f3f7f6f9b10"),
    date: new Date(newestMs - Math.floor((number / count) * fiveYearsMs)),
  }));
}

const world = new StillWorld(Number(process.argv[2]));
for (const language of languages) {
  world.reviewsNow({ store: "googleplay", externalAppId: "com.example.bench" }, language);
}
const simulator = await openSimulator({ clock: systemClock, storeState: world });
process.send?.(simulator.url);
process.once("disconnect", () => void simulator.close());
