// One app per store that always has reviews. Clients read it to distinguish a blocked network, where even
// this feed is empty, from an app without reviews.

import { minuteMs } from "../src/lib/timestamp.ts";
import type { AppKey } from "./store-facts.ts";
import type { StoreState } from "./store-state.ts";

/** Very large apps of both stores; their reviews in the simulator are invented. */
const controlApps = [
  { store: "appstore", externalAppId: "389801252", region: "us" },
  { store: "googleplay", externalAppId: "com.google.android.youtube", region: "en" },
] as const;

export function addControlApps(storeState: StoreState): void {
  for (const { region, ...app } of controlApps) {
    if (!storeState.appNow(app)) addControlApp(storeState, { app, region });
  }
}

function addControlApp(storeState: StoreState, control: { app: AppKey; region: string }): void {
  const { app, region } = control;
  storeState.addApp({ ...app, name: "Always There" });
  const now = storeState.clock.now().getTime();
  for (let index = 0; index < 5; index += 1) {
    const number = 14_500_000_000 + index;
    storeState.addReview(app, {
      region,
      storeReviewId: app.store === "appstore" ? String(number) : `gp:always-there-${number}`,
      rating: 5 - (index % 2),
      title: app.store === "appstore" ? "Still here" : null,
      text: "Works as it always has.",
      at: new Date(now - index * minuteMs),
    });
  }
}
