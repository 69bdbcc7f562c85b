// Providers: services of the operator's choice that translate reviews, or analyse them beside the built-in analysis.
import { appNoun } from "../../operations/app.ts";
import type { Feature } from "../feature.ts";
import { createChat } from "./chat.ts";
import { createJobQueue } from "./enqueue-jobs.ts";
import { translateApp } from "./operations.ts";
import { listProviders } from "./provider-status.ts";
import { listConfigs, parseEnrichmentOptions } from "./settings.ts";

export const providers: Feature = {
  name: "providers",
  nouns: [{ noun: appNoun, operations: [translateApp] }],
  loadRoutes: async () => (await import("./routes.ts")).providerRoutes,
  providers: {
    listConfigs,
    createChat,
    openJobQueue: (config) => createJobQueue(parseEnrichmentOptions(config)),
    readStatuses: ({ config, ...deps }) => listProviders(deps, listConfigs(config)),
  },
  checkSettings: parseEnrichmentOptions,
  loadOutsideChecks: async () => (await import("./check-providers.ts")).listProviderChecks,
  workers: [
    { role: "collect", load: async () => (await import("./workers.ts")).openEnrichmentWorkers },
  ],
};
