// The routes by which programs set up a workspace: those of each resource, and the actions on channels. A new one has all
// that write-handler.ts promises.
import { nouns } from "../../operations/operations.ts";
import { resources } from "../../operations/resources.ts";
import { channelActions, deliveryList } from "./channel-routes.ts";
import type { ManageRoute } from "./manage-route.ts";
import { routesOfNoun } from "./operation-routes.ts";
import { routesOf } from "./resource-routes.ts";
import { setupRoutes } from "./setup-routes.ts";

export const manageRoutes: readonly ManageRoute[] = [
  ...resources.slice(0, 2).flatMap(routesOf),
  ...nouns.flatMap(routesOfNoun),
  ...resources.slice(2).flatMap(routesOf),
  ...channelActions(),
  deliveryList,
  ...setupRoutes,
];
