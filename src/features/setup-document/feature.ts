// The set-up document: apps, views, channels and roles of a workspace as one file, read and applied by programs and commands.
import type { Feature } from "../feature.ts";

export const setupDocument: Feature = {
  name: "setup-document",
  loadManageRoutes: async () => (await import("./routes.ts")).listSetupRoutes(),
};
