// Alerts: events of channels about storefronts and channels that fail, topics that rise, and releases that are worse.
import { alertNames } from "../../domain/channel/channel.ts";
import type { Feature } from "../feature.ts";

export const alerts: Feature = {
  name: "alerts",
  events: alertNames,
  workers: [
    { role: "deliver", load: async () => (await import("./alert-worker.ts")).openAlertWorker },
  ],
};
