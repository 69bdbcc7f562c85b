// Every route of the dashboard's API, in the order of the contract.
import { appRoutes } from "./app-routes.ts";
import { channelRoutes } from "./channel-routes.ts";
import type { ConsoleRoute } from "./dashboard-route.ts";
import { deliveryRoutes } from "./delivery-routes.ts";
import { joinRoutes } from "./invitation-routes.ts";
import { keyRoutes } from "./key-routes.ts";
import { memberRoutes } from "./member-routes.ts";
import { overviewRoutes } from "./overview-routes.ts";
import { reviewRoutes } from "./review-routes.ts";
import { sessionRoutes } from "./session-routes.ts";
import { settingsRoutes } from "./settings-routes.ts";

export const routes: readonly ConsoleRoute[] = [
  ...sessionRoutes,
  ...joinRoutes,
  ...overviewRoutes,
  ...reviewRoutes,
  ...appRoutes,
  ...channelRoutes,
  ...deliveryRoutes,
  ...keyRoutes,
  ...settingsRoutes,
  ...memberRoutes,
];
