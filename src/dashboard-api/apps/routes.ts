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
  route("POST /workspaces/:workspace/apps", {
    access: "member",
    limits: [{ perMinute: 60, by: "workspace" }],
    body: newApp,
    async handle({ deps, workspace, workspaceId, body }) {
      // It opens every app of the owner's account at the store.
      if (body.credentialId !== null && workspace.role !== "owner") {
        throw new AppError(
          "forbidden",
          "only an owner of the workspace may use its store accounts",
        );
      }
      const { app, warning } = await addApp(deps, { ...body, workspaceId });
      const view = await getAppView(deps, { id: app.id, workspaceId });
      return { app: view.app, warning };
    },
  }),
  route("PATCH /workspaces/:workspace/apps/:app", {
    access: "member",
    body: appChange,
    async handle({ deps, subject, body }) {
      const { warning } = await changeApp(deps, { ...subject, change: body });
      const { app } = await getAppView(deps, subject);
      return { app, warning };
    },
  }),
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
  route("DELETE /workspaces/:workspace/apps/:app", {
    access: "owner",
    isSensitive: true,
    async handle({ deps, subject }) {
      await removeApp(deps, subject);
    },
  }),
  route("GET /workspaces/:workspace/icons", {
    access: "viewer",
    query: iconQuery,
    handle: async ({ deps, query }) => iconResponse(await deps.icons.find(query)),
  }),
];
