// Apps: list with the state of collecting, find, add, change, collect now, remove; and their icons.

import { AppError } from "../../domain/error.ts";
import { httpPresets } from "../../domain/http-presets.ts";
import { playLanguages } from "../../domain/languages.ts";
import { defaultCountries, defaultLanguages } from "../../domain/listing.ts";
import { storefronts } from "../../domain/storefronts.ts";
import { translateApp } from "../../use-cases/analysis/providers.ts";
import { addApp } from "../../use-cases/apps/add-app.ts";
import { removeApp, requireApp } from "../../use-cases/apps/apps.ts";
import { changeApp } from "../../use-cases/apps/change-app.ts";
import { ownFeeds } from "../../use-cases/apps/coverage.ts";
import { appChange, collectQuery, findAppsBody, iconQuery, newApp } from "../contract/requests.ts";
import { type DashboardRoute, route } from "../dashboard-route.ts";
import { getAppView, listAppViews, toNamedApp } from "./app-view.ts";
import { findApps } from "./find-apps.ts";
import { iconResponse } from "./icon-proxy.ts";

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
    handle: async ({ deps, icons, workspaceId }) => ({
      apps: await listAppViews({ ...deps, icons }, workspaceId),
    }),
  }),
  route("GET /workspaces/:workspace/app-names", {
    access: "viewer",
    async handle({ deps, icons, workspaceId }) {
      const apps = await deps.database.listApps({ workspaceId });
      return { apps: apps.map((app) => toNamedApp(icons, app)) };
    },
  }),
  route("POST /workspaces/:workspace/apps/find", {
    access: "member",
    limits: [{ perMinute: 60, by: "workspace" }],
    body: findAppsBody,
    handle: ({ deps, icons, workspaceId, body }) =>
      findApps({ ...deps, icons }, { ...body, workspaceId }),
  }),
  route("GET /workspaces/:workspace/apps/:app", {
    access: "viewer",
    handle: ({ deps, icons, workspaceId, params }) =>
      getAppView({ ...deps, icons }, { id: params.app, workspaceId }),
  }),
  route("POST /workspaces/:workspace/apps", {
    access: "member",
    limits: [{ perMinute: 60, by: "workspace" }],
    body: newApp,
    async handle({ deps, actorContext, icons, workspace, workspaceId, body }) {
      // It opens every app of the owner's account at the store.
      if (body.credentialId !== null && workspace.role !== "owner") {
        throw new AppError(
          "forbidden",
          "only an owner of the workspace may use its store accounts",
        );
      }
      const { app, warning } = await addApp(actorContext, { ...body, workspaceId });
      const view = await getAppView({ ...deps, icons }, { id: app.id, workspaceId });
      return { app: view.app, warning };
    },
  }),
  route("PATCH /workspaces/:workspace/apps/:app", {
    access: "member",
    body: appChange,
    async handle({ deps, actorContext, icons, workspaceId, params, body }) {
      const appQuery = { id: params.app, workspaceId };
      const { warning } = await changeApp(actorContext, { ...appQuery, change: body });
      const { app } = await getAppView({ ...deps, icons }, appQuery);
      return { app, warning };
    },
  }),
  route("POST /workspaces/:workspace/apps/:app/collect", {
    access: "member",
    limits: [{ perMinute: 30, by: "workspace" }],
    recordedAs: "app.collected",
    query: collectQuery,
    async handle({ deps, workspaceId, params, query }) {
      const appQuery = { id: params.app, workspaceId };
      const app = await requireApp(deps.database, appQuery);
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
  route("DELETE /workspaces/:workspace/apps/:app", {
    access: "owner",
    isSensitive: true,
    async handle({ actorContext, workspaceId, params }) {
      await removeApp(actorContext, { id: params.app, workspaceId });
    },
  }),
  route("GET /workspaces/:workspace/icons", {
    access: "viewer",
    query: iconQuery,
    handle: async ({ icons, query }) => iconResponse(await icons.find(query)),
  }),
];
