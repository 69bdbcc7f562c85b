// Hands the routes of the features to the tables of the read API and the dashboard's, apart from the other rows: commands need none of them.
import { apiPaths } from "../api/api-paths.ts";
import { endpoints } from "../api/endpoints.ts";
import { furtherRoutes } from "../api/manage/routes.ts";
import { publicParts } from "../dashboard-api/public-parts.ts";
import { routes } from "../dashboard-api/routes.ts";
import { lazy } from "../lib/lazy.ts";
import { features } from "./features.ts";

/** Before one of these APIs or a test reads its table. */
export const installRoutes = lazy(async (): Promise<void> => {
  for (const feature of features) {
    const { loadRoutes, loadPublicParts, loadApiPaths, loadEndpoints, loadManageRoutes } = feature;
    routes.push(...((await loadRoutes?.()) ?? []));
    publicParts.push(...((await loadPublicParts?.()) ?? []));
    endpoints.push(...((await loadEndpoints?.()) ?? []));
    furtherRoutes.push(...((await loadManageRoutes?.()) ?? []));
    apiPaths.push(...((await loadApiPaths?.()) ?? []));
  }
});
