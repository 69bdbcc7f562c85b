// Checks of what the service needs: by a command, and of the stores by a worker that reads a page of well-known apps.
import type { Feature } from "../feature.ts";

export const doctor: Feature = {
  name: "doctor",
  workers: [
    { role: "collect", load: async () => (await import("./canary-worker.ts")).openCanaryWorker },
  ],
};
