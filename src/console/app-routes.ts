// Apps: listed with how collecting goes, found, added, changed, collected now, removed; and their pictures.
import { z } from "zod";
import { addApp } from "../manage/add-app.ts";
import { removeApp, requireApp } from "../manage/apps.ts";
import { changeApp } from "../manage/change-app.ts";
import { ownFeeds, toCoverage } from "../manage/coverage.ts";
import { translateApp } from "../manage/providers.ts";
import { AppError } from "../reviews/error.ts";
import { playLanguages } from "../reviews/languages.ts";
import { defaultCountries, defaultLanguages } from "../reviews/listing.ts";
import { storefronts } from "../reviews/storefronts.ts";
import { type ConsoleRoute, route } from "./console-route.ts";
import { codes, id, shortText, store } from "./fields.ts";
import { findApps } from "./find-apps.ts";
import { iconAnswer } from "./icons.ts";
import { showAppAgain, showApps, showFeed } from "./shown-app.ts";

const newApp = z.strictObject({
  store,
  externalAppId: shortText,
  name: shortText.nullable(),
  foundIn: z.string().max(20).nullable(),
  countries: codes.nullable(),
  languages: codes.nullable(),
  isCollected: z.boolean({ error: "must be true or false" }),
  credentialId: id.nullable(),
});

export const appRoutes: readonly ConsoleRoute[] = [
  route("GET /choices", {
    admits: "person",
    answer: async ({ rooms }) => ({
      storefronts: [...storefronts],
      languages: [...playLanguages],
      defaultCountries,
      defaultLanguages,
      topics: [...rooms.topicNames],
    }),
  }),
  route("GET /workspaces/:workspace/apps", {
    admits: "member",
    answer: async ({ rooms, icons, workspace }) => ({
      apps: await showApps({ ...rooms, icons }, workspace.id),
    }),
  }),
  route("POST /workspaces/:workspace/apps/find", {
    admits: "member",
    body: z.strictObject({
      text: shortText,
      store: store.nullable(),
      country: z.string().max(20).nullable(),
    }),
    answer: ({ rooms, icons, workspace, body }) =>
      findApps({ ...rooms, icons }, { ...body, workspaceId: workspace.id }),
  }),
  route("GET /workspaces/:workspace/apps/:app", {
    admits: "member",
    async answer({ rooms, icons, workspace, params }) {
      const wanted = { id: params.app, workspaceId: workspace.id };
      const app = await requireApp(rooms.keep, { field: "app", ...wanted });
      const listing = await rooms.keep.findListing(app.listingId);
      const feeds = ownFeeds(await rooms.keep.listFeeds(app.listingId), app);
      const now = rooms.clock.now();
      return {
        app: await showAppAgain({ ...rooms, icons }, wanted),
        feeds: listing
          ? feeds.map((feed) => showFeed(toCoverage(feed, { app, listing, now })))
          : [],
      };
    },
  }),
  route("POST /workspaces/:workspace/apps", {
    admits: "member",
    body: newApp,
    async answer({ rooms, acting, icons, workspace, body }) {
      const workspaceId = workspace.id;
      const { app, warning } = await addApp(acting, { ...body, workspaceId });
      return { app: await showAppAgain({ ...rooms, icons }, { id: app.id, workspaceId }), warning };
    },
  }),
  route("PATCH /workspaces/:workspace/apps/:app", {
    admits: "member",
    body: z.strictObject({
      name: shortText.nullable().optional(),
      countries: codes.optional(),
      languages: codes.optional(),
    }),
    async answer({ rooms, acting, icons, workspace, params, body }) {
      const wanted = { id: params.app, workspaceId: workspace.id };
      const { warning } = await changeApp(acting, { ...wanted, change: body });
      return { app: await showAppAgain({ ...rooms, icons }, wanted), warning };
    },
  }),
  route("POST /workspaces/:workspace/apps/:app/collect", {
    admits: "member",
    async answer({ rooms, workspace, params }) {
      const wanted = { id: params.app, workspaceId: workspace.id };
      const app = await requireApp(rooms.keep, { field: "app", ...wanted });
      const feeds = ownFeeds(await rooms.keep.listFeeds(app.listingId), app);
      if (feeds.length === 0) throw new AppError("conflict", "nothing is collected for this app");
      const now = rooms.clock.now();
      for (const feed of feeds) await rooms.keep.hastenFeed({ ...feed, now });
      await rooms.keep.notify("feeds");
      return { feedCount: feeds.length };
    },
  }),
  route("POST /workspaces/:workspace/apps/:app/translate", {
    admits: "member",
    answer: ({ rooms, workspace, params }) =>
      translateApp(rooms, {
        appId: params.app,
        workspaceId: workspace.id,
        choices: rooms.providers,
      }),
  }),
  route("DELETE /workspaces/:workspace/apps/:app", {
    admits: "owner",
    async answer({ acting, workspace, params }) {
      await removeApp(acting, { id: params.app, workspaceId: workspace.id });
      return {};
    },
  }),
  route("GET /workspaces/:workspace/icons", {
    admits: "member",
    query: z.strictObject({ url: z.string().max(2_000), seal: z.string().max(100) }),
    answer: async ({ icons, query }) => iconAnswer(await icons.find(query)),
  }),
  route("GET /workspaces/:workspace/apps/:app/icon", {
    admits: "member",
    async answer({ rooms, icons, workspace, params }) {
      const wanted = { field: "app", id: params.app, workspaceId: workspace.id };
      const { iconUrl } = await requireApp(rooms.keep, wanted);
      return iconAnswer(await icons.fetch(iconUrl));
    },
  }),
];
