// Verdicts: whether a release made people unhappy, compared with the days before it.
import { releaseDays } from "../../domain/changes/release-periods.ts";
import { dayMs } from "../../lib/timestamp.ts";
import type { Feature } from "../feature.ts";

export const verdict: Feature = {
  name: "verdict",
  loadEndpoints: async () => [(await import("./endpoint.ts")).verdictEndpoint],
  readVerdicts: async (...query) => (await import("./read-verdicts.ts")).readVerdicts(...query),
  alertFinders: [
    {
      event: "release.worse",
      find: async (...place) =>
        (await import("./find-worse-releases.ts")).findWorseReleases(...place),
      // A verdict can be withheld for days: a release is announced once until it is over.
      quietMs: (releaseDays + 1) * dayMs,
    },
  ],
};
