// Apps: list with the state of collecting, find, add, change, collect now, remove; and their icons.

import { httpPresets } from "../../domain/channel/http-presets.ts";
import { type App, defaultCountries, defaultLanguages } from "../../domain/feed/listing.ts";
import { playLanguages } from "../../domain/languages.ts";
import { storefronts } from "../../domain/store/storefronts.ts";
import { addApp, changeApp, removeApp } from "../../operations/app.ts";
import { collectApp } from "../../operations/app-actions.ts";
import type { Outcome } from "../../operations/frame.ts";
import { findAppsBody, iconQuery } from "../contract/requests.ts";
import { type DashboardRoute, operate, type RouteDeps, route } from "../dashboard-route.ts";
import { iconResponse } from "../icon-proxy.ts";
import { getAppView, listAppViews, toNamedApp } from "./app-view.ts";
import { findApps } from "./find-apps.ts";

export const appRoutes: readonly DashboardRoute[] = [
  route("GET /choices", {
    access: "user",
    handle: async ({ deps }) => ({
      storefronts: [...storefronts],
      languages: [...playLanguages],
      defaultCountries,
      defaultLanguages,
      topics: [...deps.topicNames],
      canTranslate: deps.providers.some((one) => one.kind === "translate" && one.isEnabled),
      canMail: deps.sendMail !== null,
      presets: [...httpPresets],
    }),
  }),
  route("GET /workspaces/:workspace/apps", {
    access: "viewer",
    handle: async ({ deps, workspaceId }) => ({
      apps: await listAppViews(deps, workspaceId),
    }),
  }),
  route("GET /workspaces/:workspace/app-names", {
    access: "viewer",
    async handle({ deps, workspaceId }) {
      const apps = await deps.database.listApps({ workspaceId });
      return { apps: apps.map((app) => toNamedApp(deps.icons, app)) };
    },
  }),
  route("POST /workspaces/:workspace/apps/find", {
    access: "member",
    limits: [{ perMinute: 60, by: "workspace" }],
    body: findAppsBody,
    handle: ({ deps, workspaceId, body }) => findApps(deps, { ...body, workspaceId }),
  }),
  route("GET /workspaces/:workspace/apps/:app", {
    access: "viewer",
    handle: ({ deps, subject }) => getAppView(deps, subject),
  }),
  operate("POST /workspaces/:workspace/apps", addApp, showApp),
  operate("PATCH /workspaces/:workspace/apps/:app", changeApp, showApp),
  operate("POST /workspaces/:workspace/apps/:app/collect", collectApp, async ({ result }) => ({
    feedCount: result.feedCount,
  })),
  operate("DELETE /workspaces/:workspace/apps/:app", removeApp),
  route("GET /workspaces/:workspace/icons", {
    access: "viewer",
    query: iconQuery,
    handle: async ({ deps, query }) => iconResponse(await deps.icons.find(query)),
  }),
];

async function showApp(
  { result, warning }: Outcome<App>,
  { deps, workspaceId }: { deps: RouteDeps; workspaceId: string },
) {
  const { app } = await getAppView(deps, { id: result.id, workspaceId });
  return { app, warning };
}
