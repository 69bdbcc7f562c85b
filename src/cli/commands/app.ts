// starpost app: which apps a workspace follows, and a pass over one of them now.
import { addApp } from "../../use-cases/apps/add-app.ts";
import { mergeCoverage, listAppsWithCoverage, removeApp, requireApp } from "../../use-cases/apps/apps.ts";
import { findApp } from "../../use-cases/apps/find-app.ts";
import { notFound } from "../../domain/validation-errors.ts";
import { type Command, command } from "../command.ts";
import { list, type Option, optional, required } from "../option.ts";

const columns = ["id", "workspaceId", "store", "externalAppId", "name", "addedAt"];
const passColumns =
  "kind region outcome source pages reviews rejected new edited truncated stopReason error goodAt nextDueAt".split(
    " ",
  );

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
      store: optional("--store <store>", "appstore or googleplay; a link names it itself."),
      externalId: optional("--external-id <id>", "Its id there: a number, or a package name."),
      link: optional("--link <url>", "A link to it in its store, instead of the id."),
      bundleId: optional("--bundle-id <id>", "Its bundle id or package name, instead of the id."),
      search: optional("--search <words>", "Words to search the store for, instead of the id."),
      name: optional("--name <name>", "How it is called here; the store's name unless given."),
      countries: list("--countries <codes>", "Storefronts with commas, or all."),
      languages: list("--languages <codes>", "Languages with commas (Google Play), or all."),
      collect: collected,
      credential: optional("--credential <id>", "Read reviews through this account at the store."),
    },
    async run(shell, given) {
      const context = await shell.context();
      const meant = await findApp(context.stores, {
        store: given.store ?? null,
        externalAppId: given.externalId ?? null,
        link: given.link ?? null,
        bundleId: given.bundleId ?? null,
        search: given.search ?? null,
        countries: given.countries ?? null,
      });
      const { app, warning } = await addApp(context, {
        workspaceId: given.workspace,
        store: meant.store,
        externalAppId: meant.externalAppId,
        name: given.name ?? null,
        countries: given.countries ?? null,
        foundIn: meant.region,
        languages: given.languages ?? null,
        isCollected: given.collect,
        credentialId: given.credential ?? null,
      });
      const notes = [meant.note, warning].filter((note) => note !== null);
      return { value: { ...app, warning: notes.length > 0 ? notes.join("; ") : null } };
    },
  }),
  command({
    name: "app list",
    about: "List apps with the coverage of what is collected.",
    args: {},
    options: { workspace: optional("--workspace <id>", "Only this workspace's.") },
    async run(shell, { workspace }) {
      const context = await shell.context();
      const value = await listAppsWithCoverage(context, { workspaceId: workspace ?? null });
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
      const app = await requireApp(context.database, {
        field: "app",
        id: given.app,
        workspaceId: null,
      });
      const listing = await context.database.findListing(app.listingId);
      if (!listing) throw notFound("app", app.id);
      const { reports, held } = await context.collect({
        listing,
        onPage: ({ kind, region, pages, reviews }) =>
          shell.note(`${kind} ${region}: page ${pages}, ${reviews} reviews so far`),
      });
      for (const { kind, region, checkpoint: progress } of held) {
        const far = progress ? `, ${progress.reviewCount} reviews so far` : "";
        shell.note(`${kind} ${region}: another worker is at it${far}`);
      }
      if (reports.length + held.length === 0) shell.note("no feed is followed");
      const isFailed = reports.length > 0 && reports.every(({ outcome }) => outcome === "unknown");
      const value = await mergeCoverage(context, { app, listing, reports, held });
      return { value, columns: passColumns, isFailed };
    },
  }),
];
