// The app that each store always has reviews of: clients ask for it to tell a network that is shut out
// (where even this feed is empty) from an app without reviews.
import { minuteMs } from "../src/lib/timestamp.ts";
import type { AppKey, StoreState } from "./store-state.ts";

/** Among the largest apps of both stores; their reviews in the simulator are invented. */
const controlApps = [
  { store: "appstore", externalAppId: "389801252", region: "us" },
  { store: "googleplay", externalAppId: "com.google.android.youtube", region: "en" },
] as const;

export function addControlApps(world: StoreState): void {
  for (const { region, ...app } of controlApps) {
    if (!world.appNow(app)) plant(world, { app, region });
  }
}

function plant(world: StoreState, planted: { app: AppKey; region: string }): void {
  const { app, region } = planted;
  world.addApp({ ...app, name: "Always There" });
  const now = world.clock.now().getTime();
  for (let index = 0; index < 5; index += 1) {
    const number = 14_500_000_000 + index;
    world.addReview(app, {
      region,
      storeReviewId: app.store === "appstore" ? String(number) : `gp:always-there-${number}`,
      rating: 5 - (index % 2),
      title: app.store === "appstore" ? "Still here" : null,
      text: "Works as it always has.",
      at: new Date(now - index * minuteMs),
    });
  }
}
