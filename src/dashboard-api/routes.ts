// Every route of the dashboard's API, in the order of the contract.

import { invitationRoutes } from "./account/invitation-routes.ts";
import { passwordRoutes } from "./account/password-routes.ts";
import { sessionRoutes } from "./account/routes.ts";
import { secondFactorRoutes } from "./account/second-factor-routes.ts";
import { signInLinkRoutes } from "./account/sign-in-link-routes.ts";
import { alertRoutes } from "./alerts/routes.ts";
import { appRoutes } from "./apps/routes.ts";
import { deliveryRoutes } from "./channels/delivery-routes.ts";
import { channelRoutes } from "./channels/routes.ts";
import type { DashboardRoute } from "./dashboard-route.ts";
import { keyRoutes } from "./keys/routes.ts";
import { overviewRoutes } from "./overview/routes.ts";
import { reviewRoutes } from "./reviews/routes.ts";
import { viewRoutes } from "./reviews/view-routes.ts";
import { memberRoutes } from "./settings/member-routes.ts";
import { outgoingRoutes } from "./settings/outgoing-routes.ts";
import { settingsRoutes } from "./settings/routes.ts";

/** A table: features add theirs. */
export const routes: DashboardRoute[] = [
  ...sessionRoutes,
  ...secondFactorRoutes,
  ...invitationRoutes,
  ...passwordRoutes,
  ...signInLinkRoutes,
  ...alertRoutes,
  ...overviewRoutes,
  ...reviewRoutes,
  ...viewRoutes,
  ...appRoutes,
  ...channelRoutes,
  ...deliveryRoutes,
  ...keyRoutes,
  ...settingsRoutes,
  ...memberRoutes,
  ...outgoingRoutes,
];
