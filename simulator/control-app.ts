// The app that a store always has reviews of: clients ask for it to tell a network that is shut out
// (where even this feed is empty) from an app without reviews.
import { minuteMs } from "../src/lib/timestamp.ts";
import type { World } from "./world.ts";

/** One of the largest apps of the App Store; its reviews in the simulator are invented. */
const controlApp = { store: "appstore", externalAppId: "389801252" } as const;

export function plantControlApp(world: World): void {
  if (world.appNow(controlApp)) return;
  world.addApp({ ...controlApp, name: "Always There" });
  const now = world.clock.now().getTime();
  for (let index = 0; index < 5; index += 1) {
    world.addReview(controlApp, {
      region: "us",
      storeReviewId: String(14_500_000_000 + index),
      rating: 5 - (index % 2),
      title: "Still here",
      text: "Works as it always has.",
      at: new Date(now - index * minuteMs),
    });
  }
}
