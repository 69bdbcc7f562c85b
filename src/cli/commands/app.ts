// starpost app: which apps a workspace follows, and a pass over one of them now.
import { addApp } from "../../manage/add-app.ts";
import { listCoveredApps, removeApp, requireApp } from "../../manage/apps.ts";
import { notFound } from "../../manage/refusal.ts";
import { type Command, command } from "../command.ts";
import { list, type Option, optional, required } from "../option.ts";

const columns = ["id", "workspaceId", "store", "externalAppId", "name", "addedAt"];
const passColumns = ["kind", "region", "outcome", "pages", "new", "edited", "stopReason", "error"];

const collected: Option<boolean> = {
  flags: "--no-collect",
  about: "Ask no store: the app holds imports only.",
  isRequired: false,
  // commander names the option without its "no" and sets it to false.
  read: (stated) => stated !== false,
};

export const appCommands: Command[] = [
  command({
    name: "app add",
    about: "Follow an app of a store.",
    args: {},
    options: {
      workspace: required("--workspace <id>", "The workspace that follows it."),
      store: required("--store <store>", "appstore or googleplay."),
      externalId: required("--external-id <id>", "Its id there: a number, or a package name."),
      name: optional("--name <name>", "How it is called here; the store's name unless given."),
      countries: list("--countries <codes>", "Storefronts with commas, or all."),
      languages: list("--languages <codes>", "Languages with commas (Google Play), or all."),
      collect: collected,
    },
    async run(shell, given) {
      const { app, warning } = await addApp(await shell.context(), {
        workspaceId: given.workspace,
        store: given.store,
        externalAppId: given.externalId,
        name: given.name ?? null,
        countries: given.countries ?? null,
        languages: given.languages ?? null,
        isCollected: given.collect,
      });
      return { value: { ...app, warning } };
    },
  }),
  command({
    name: "app list",
    about: "List apps with the coverage of what is collected.",
    args: {},
    options: { workspace: optional("--workspace <id>", "Only this workspace's.") },
    async run(shell, { workspace }) {
      const { keep } = await shell.context();
      const value = await listCoveredApps(keep, { workspaceId: workspace ?? null });
      return { value, columns };
    },
  }),
  command({
    name: "app remove",
    about: "Stop following an app. What no other workspace follows is deleted with its reviews.",
    args: { id: required("<id>", "The app.") },
    options: {},
    async run(shell, { id }) {
      return { value: await removeApp(await shell.context(), { id, workspaceId: null }) };
    },
  }),
  command({
    name: "collect",
    about: "One pass over an app now: per feed its outcome, pages, new and edited reviews.",
    args: {},
    options: { app: required("--app <id>", "The app.") },
    async run(shell, given) {
      const context = await shell.context();
      const app = await requireApp(context.keep, {
        field: "app",
        id: given.app,
        workspaceId: null,
      });
      const listing = await context.keep.findListing(app.listingId);
      if (!listing) throw notFound("app", app.id);
      const reports = await context.collect({
        listing,
        onPage: ({ kind, region, pages, reviews }) =>
          shell.note(`${kind} ${region}: page ${pages}, ${reviews} reviews so far`),
      });
      if (reports.length === 0) shell.note("no feed is free: none is followed, or all are at work");
      const isFailed = reports.length > 0 && reports.every(({ outcome }) => outcome === "unknown");
      return { value: reports, columns: passColumns, isFailed };
    },
  }),
];
