// Digests: what changed in the reviews of an app, on a day, in a week or since a release.
import { dayMs } from "../../lib/timestamp.ts";
import type { Feature } from "../feature.ts";

export const digests: Feature = {
  name: "digests",
  loadEndpoints: async () => [(await import("./endpoint.ts")).changesEndpoint],
  readIncidents: async (...query) => (await import("./read-incidents.ts")).readIncidents(...query),
  alertFinders: [
    {
      event: "reviews.spike",
      find: async (...place) => (await import("./find-spikes.ts")).findSpikes(...place),
      // A spike that comes and goes for days is one.
      quietMs: 3 * dayMs,
    },
  ],
  workers: [
    { role: "deliver", load: async () => (await import("./digest-worker.ts")).openDigestWorker },
  ],
};
