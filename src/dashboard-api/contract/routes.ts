// Every route of the dashboard's API by method and path: the server's table and the pages' calls are checked
// against it.

import type { AlertRoutes } from "./alerts.ts";
import type { AppRoutes } from "./apps.ts";
import type { ChannelRoutes } from "./channels.ts";
import type { KeyRoutes } from "./keys.ts";
import type { OutgoingRoutes } from "./outgoing.ts";
import type { OverviewRoutes } from "./overview.ts";
import type { ReviewRoutes } from "./reviews.ts";
import type { SessionRoutes } from "./session.ts";
import type { SettingsRoutes } from "./settings.ts";
import type { ViewRoutes } from "./views.ts";

export type Routes = SessionRoutes &
  AlertRoutes &
  OverviewRoutes &
  ReviewRoutes &
  ViewRoutes &
  AppRoutes &
  ChannelRoutes &
  KeyRoutes &
  SettingsRoutes &
  OutgoingRoutes;

export type RouteName = keyof Routes;
