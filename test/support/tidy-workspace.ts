// A workspace of plausible apps: every second one in the other store, with reviews of two months, two releases and ratings.
import type { Database } from "../../src/database/database.ts";
import type { App } from "../../src/domain/feed/listing.ts";
import { addDays, dayMs } from "../../src/lib/timestamp.ts";
import { anApp, aReview, saveReviews, saveSnapshots } from "./factories.ts";

const names = ["Tidepool Journal", "Harbour Pilot", "Lantern Notes", "Ferry Times", "Salt & Sail"];
const texts = [
  "The tide table is right every day.",
  "It crashes as soon as I open the map.",
  "Good, but the battery is empty after an hour.",
  "Please bring the old login back.",
];
const topics = [["praise"], ["crash"], ["battery"], ["login"]];
const reviewCount = 40;

/** The first app has the most reviews. */
export async function fillTidily(
  database: Database,
  { workspaceId, appCount, now }: { workspaceId: string; appCount: number; now: Date },
): Promise<App[]> {
  const today = now.toISOString().slice(0, 10);
  const apps: App[] = [];
  for (let index = 0; index < appCount; index += 1) {
    const store = index % 2 === 0 ? "appstore" : "googleplay";
    const base = names[index % names.length] ?? "";
    const app = await anApp(database, {
      workspaceId,
      store,
      name: index < names.length ? base : `${base} ${Math.floor(index / names.length) + 1}`,
      externalAppId: store === "appstore" ? String(1_987_100_000 + index) : `app.tidy${index}`,
    });
    const reviews = Array.from(
      { length: index === 0 ? 4 * reviewCount : reviewCount },
      (_, number) => {
        const kind = (number + index) % texts.length;
        return aReview({
          date: new Date(now.getTime() - ((number * 1.4) % 56) * dayMs),
          rating: kind === 0 ? 5 : (number % 3) + 1,
          text: texts[kind] ?? "",
          title: null,
          sentiment: kind === 0 ? "positive" : "negative",
          topics: topics[kind] ?? [],
          topicScores: [kind === 0 ? 1 : -1],
          version: (number * 1.4) % 56 < 20 ? "2.1.0" : "2.0.0",
          country: number % 3 === 0 ? "gb" : "us",
        });
      },
    );
    await saveReviews(database, app, reviews);
    await saveSnapshots(
      database,
      app,
      Array.from({ length: 30 }, (_, number) => ({
        ...{
          day: addDays(today, number - 29),
          average: 4.1 + (number % 5) / 20,
          total: 900 + number,
        },
      })),
    );
    apps.push(app);
  }
  return apps;
}
