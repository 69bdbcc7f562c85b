// The translation of stored reviews, for the dashboard.
import { type DashboardRoute, routesOf } from "../../dashboard-api/dashboard-route.ts";
import type { ProviderRoutes } from "./contract.ts";
import { translateApp } from "./operations.ts";

const { operate } = routesOf<ProviderRoutes>();

export const providerRoutes: readonly DashboardRoute[] = [
  operate("POST /workspaces/:workspace/apps/:app/translate", translateApp, async (outcome) => ({
    ...outcome.result,
    warning: outcome.warning,
  })),
];
