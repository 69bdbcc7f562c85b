// The stores of the demo as the sources of a report, for a look without a network.
import {
  createSampleStores,
  sampleAppStoreApp,
  sampleGooglePlayApp,
} from "../../simulator/sample-stores.ts";
import { openSimulator } from "../../simulator/simulator.ts";
import { StoreState } from "../../simulator/store-state.ts";
import { systemClock } from "../lib/clock.ts";

const pastDays = 180;

export async function openDemoStores() {
  const storeState = new StoreState(systemClock);
  createSampleStores({ clock: systemClock, storeState, pastDays, isStory: true });
  const { url, close } = await openSimulator({ clock: systemClock, storeState });
  return {
    words: [sampleAppStoreApp.externalAppId, sampleGooglePlayApp.externalAppId],
    settings: {
      itunesBaseUrl: url,
      appleAppsBaseUrl: url,
      googlePlayBaseUrl: url,
      collectRequestsPerSecond: 1_000,
    },
    close,
  };
}
