// The stores of the demo: one invented product on both, two years of reviews in ten languages, and a bad
// release in the middle. The same seed and start give the same data.

import type { Histogram } from "../src/domain/review/snapshot.ts";
import type { StoreId } from "../src/domain/store/store-id.ts";
import type { Clock } from "../src/lib/clock.ts";
import { addDays, type Day, dayMs, dayOf } from "../src/lib/timestamp.ts";
import { generateAppHistory, type HistoryPlan } from "./app-history.ts";
import { sumUp } from "./histograms.ts";
import { createRandom, type Random } from "./random.ts";
import type { BatteryStory, Release } from "./release-history.ts";
import type { AppKey, SimulatedApp } from "./store-facts.ts";
import { StoreState } from "./store-state.ts";

export const sampleAppStoreApp: SimulatedApp = {
  store: "appstore",
  externalAppId: "1987004512",
  name: "Driftnote: Daily Planner",
  developer: "Paper Harbor",
  bundleId: "app.driftnote.ios",
  iconUrl: "https://images.driftnote.invalid/icon-512.png",
  version: "3.0.0",
};

/** A second product of the same makers, with far fewer users. */
export const sampleSecondApp: SimulatedApp = {
  ...sampleAppStoreApp,
  externalAppId: "1987004698",
  name: "Tidelist: Grocery Lists",
  bundleId: "app.tidelist.ios",
};

export const sampleGooglePlayApp: SimulatedApp = {
  ...sampleAppStoreApp,
  store: "googleplay",
  externalAppId: "app.driftnote.android",
  bundleId: "app.driftnote.android",
};

/** The product's part in the browser. */
const sampleAddon: SimulatedApp = {
  ...sampleAppStoreApp,
  store: "firefoxaddons",
  externalAppId: "2764310",
  name: "Driftnote: Web Clipper",
  bundleId: "clipper@driftnote.invalid",
};

export const sampleApps: Readonly<Record<StoreId, SimulatedApp>> = {
  appstore: sampleAppStoreApp,
  googleplay: sampleGooglePlayApp,
  firefoxaddons: sampleAddon,
};

/** Where people write in the demo's first minutes. */
export const liveRegions: Readonly<Record<StoreId, readonly string[]>> = {
  appstore: ["us", "gb", "de", "fr", "es", "br", "jp"],
  googleplay: ["en", "de", "es", "pt", "fr", "ru", "id"],
  firefoxaddons: ["001"],
};

export type SampleStores = {
  storeState: StoreState;
  /** By store, with the bad release marked. */
  releases: Record<"appstore" | "googleplay", Release[]>;
  /** The first and the last moment with reviews. */
  from: Date;
  to: Date;
};

export type SampleOptions = {
  clock: Clock;
  /** The moment that `pastDays` and `aheadDays` are counted from; by default now. */
  startedAt?: Date;
  seed?: number;
  /** Days of history. */
  pastDays?: number;
  /** Days that lie ahead and appear as the clock moves. */
  aheadDays?: number;
  /** 1 is about five reviews per day over both stores. */
  density?: number;
  /** Filled, instead of a new one. */
  storeState?: StoreState;
  /** Where the stores' icons are; by default nowhere. */
  iconBaseUrl?: string;
  /** A second product, and a last release that drains the battery until it is fixed. */
  isStory?: boolean;
};

export function createSampleStores(options: SampleOptions): SampleStores {
  const { clock, startedAt = clock.now(), seed = 7, pastDays = 735, aheadDays = 30 } = options;
  const { storeState = new StoreState(clock), isStory = false, iconBaseUrl, density = 1 } = options;
  const withIcon = (app: SimulatedApp, name: string): SimulatedApp =>
    iconBaseUrl === undefined ? app : { ...app, iconUrl: `${iconBaseUrl}/icons/${name}.png` };
  const random = createRandom(seed);
  // Until noon it is that of yesterday: the story needs the reviews of a day and a half since.
  const midnight = Date.parse(dayOf(new Date(startedAt.getTime() - dayMs / 2)));
  const from = new Date(midnight - pastDays * dayMs);
  const to = new Date(midnight + aheadDays * dayMs);
  // Both stores share it, so that their reviewers don't use the same words.
  const story = batteryStory(midnight);
  const planOf = (plan: Pick<HistoryPlan, "app" | "reviewsPerDay" | "ratingsBefore">) => ({
    ...plan,
    from,
    to,
    starOnlyRatingsPerReview: 9,
    ...(isStory ? { story } : {}),
    reviewsPerDay: Object.fromEntries(
      Object.entries(plan.reviewsPerDay).map(([region, perDay]) => [region, perDay * density]),
    ),
  });
  const appstore = generateAppHistory(storeState, random, {
    ...planOf({
      app: withIcon(sampleAppStoreApp, "driftnote"),
      reviewsPerDay: {
        us: 0.8,
        gb: 0.3,
        ca: 0.15,
        au: 0.1,
        de: 0.3,
        fr: 0.25,
        es: 0.2,
        it: 0.15,
        jp: 0.3,
        br: 0.25,
      },
      ratingsBefore: [60, 25, 45, 150, 820],
    }),
  });
  const googleplay = generateAppHistory(storeState, random, {
    ...planOf({
      app: withIcon(sampleGooglePlayApp, "driftnote"),
      reviewsPerDay: {
        en: 0.7,
        es: 0.3,
        pt: 0.3,
        de: 0.25,
        fr: 0.2,
        it: 0.15,
        ja: 0.2,
        ko: 0.15,
        ru: 0.25,
        id: 0.3,
      },
      ratingsBefore: [620, 250, 420, 1_300, 5_900],
    }),
    countryOf: () => "us",
  });
  if (isStory) {
    addSecondApp(storeState, random, { withIcon, planOf });
    addAddon(storeState, createRandom(seed + 1), { withIcon, planOf });
  }
  return { storeState, releases: { appstore, googleplay }, from, to };
}

type PlanOf = (plan: Pick<HistoryPlan, "app" | "reviewsPerDay" | "ratingsBefore">) => HistoryPlan;

type SampleParts = {
  withIcon: (app: SimulatedApp, name: string) => SimulatedApp;
  planOf: PlanOf;
};

function addSecondApp(storeState: StoreState, random: Random, make: SampleParts): void {
  // The battery is not its story.
  const { story: _, ...plan } = make.planOf({
    app: make.withIcon(sampleSecondApp, "tidelist"),
    reviewsPerDay: { us: 0.25, gb: 0.1, de: 0.1, fr: 0.08 },
    ratingsBefore: [10, 8, 20, 70, 240],
  });
  generateAppHistory(storeState, random, plan);
}

function addAddon(storeState: StoreState, random: Random, make: SampleParts): void {
  // The battery is not its story either.
  const { story: _, ...plan } = make.planOf({
    app: make.withIcon(sampleAddon, "clipper"),
    reviewsPerDay: { "001": 0.4 },
    ratingsBefore: [30, 12, 20, 60, 310],
  });
  generateAppHistory(storeState, random, plan);
}

/** Nine days before, the battery began to drain; it was fixed two days before. */
function batteryStory(midnight: number): BatteryStory {
  return {
    drainAt: new Date(midnight - 9 * dayMs),
    fixAt: new Date(midnight - 2 * dayMs),
    mentions: [],
  };
}

export type RatingDay = { day: Day; average: number; total: number; histogram: Histogram };

/**
 * All-time totals in one country or over all, one row per day, both days included: what a service that
 * runs since `from` would have stored.
 */
export function ratingDays(
  storeState: StoreState,
  app: AppKey,
  span: { from: Day; to: Day; country?: string },
): RatingDay[] {
  const days: RatingDay[] = [];
  for (let day = span.from; day <= span.to; day = addDays(day, 1)) {
    const endOfDay = new Date(Date.parse(addDays(day, 1)) - 1);
    const histogram = storeState.ratingsAt(app, endOfDay, span.country);
    days.push({ day, ...sumUp(histogram), histogram });
  }
  return days;
}
