// The routes by which programs set up a workspace: those of each resource, and the actions on channels. A new one has all
// that write-handler.ts promises.
import { resources } from "../../use-cases/resources/resources.ts";
import { channelActions, deliveryList } from "./channel-routes.ts";
import type { ManageRoute } from "./manage-route.ts";
import { routesOf } from "./resource-routes.ts";
import { setupRoutes } from "./setup-routes.ts";

export const manageRoutes: readonly ManageRoute[] = [
  ...resources.flatMap(routesOf),
  ...channelActions(),
  deliveryList,
  ...setupRoutes,
];
