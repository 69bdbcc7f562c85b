// Apps: list with the state of collecting, find, add, change, collect now, remove; and their icons.

import { AppError } from "../../domain/error.ts";
import { httpPresets } from "../../domain/http-presets.ts";
import { playLanguages } from "../../domain/languages.ts";
import { type App, defaultCountries, defaultLanguages } from "../../domain/listing.ts";
import { storefronts } from "../../domain/storefronts.ts";
import { addApp, changeApp, removeApp } from "../../operations/app.ts";
import type { Outcome } from "../../operations/frame.ts";
import { translateApp } from "../../use-cases/analysis/providers.ts";
import { requireApp } from "../../use-cases/apps/apps.ts";
import { ownFeeds } from "../../use-cases/apps/coverage.ts";
import { collectQuery, findAppsBody, iconQuery } from "../contract/requests.ts";
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
  route("POST /workspaces/:workspace/apps/:app/collect", {
    access: "member",
    limits: [{ perMinute: 30, by: "workspace" }],
    recordedAs: "app.collected",
    query: collectQuery,
    async handle({ deps, subject, query }) {
      const app = await requireApp(deps.database, subject);
      const feeds = ownFeeds(await deps.database.listFeeds(app.listingId), app).filter(
        ({ region }) => query.region === undefined || region === query.region,
      );
      if (feeds.length === 0) throw new AppError("conflict", "nothing is collected for this app");
      const now = deps.clock.now();
      for (const feed of feeds) await deps.database.makeFeedDueNow({ ...feed, now });
      await deps.database.notify("feeds");
      return { feedCount: feeds.length };
    },
  }),
  route("POST /workspaces/:workspace/apps/:app/translate", {
    access: "member",
    handle: ({ deps, workspaceId, params }) =>
      translateApp(deps, {
        appId: params.app,
        workspaceId,
        providers: deps.providers,
      }),
  }),
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
