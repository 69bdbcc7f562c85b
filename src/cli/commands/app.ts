// starpost app: which apps a workspace follows, and a crawl of one of them now.

import { paceOf } from "../../config/config.ts";
import { storeIds } from "../../domain/store/store-id.ts";
import { notFound } from "../../domain/validation-errors.ts";
import { addApp, removeApp } from "../../operations/app.ts";
import { collectApp } from "../../operations/app-actions.ts";
import {
  type AppWithCoverage,
  findAppWithCoverage,
  listAppsWithCoverage,
  mergeCoverage,
  requireApp,
} from "../../use-cases/apps/apps.ts";
import { describeFailingFeeds, describeQuietApps } from "../../use-cases/apps/feed-notes.ts";
import { findApp } from "../../use-cases/apps/find-app.ts";
import { readRounds } from "../../use-cases/apps/reading-rounds.ts";
import { deleteRemovedListings } from "../../use-cases/apps/removed-listings.ts";
import { type Command, command } from "../command.ts";
import { operate } from "../operate.ts";
import {
  appOption,
  flag,
  list,
  optional,
  reference,
  unless,
  workspaceFilter,
  workspaceOption,
} from "../option.ts";

const anyOf = (words: readonly string[]): string =>
  new Intl.ListFormat("en", { type: "disjunction" }).format(words);

const columns = ["name", "store", "externalAppId", "reading", "lastReadAt", "nextReadAt", "id"];
const crawlColumns =
  "kind region outcome source pages reviews rejected new edited truncated stopReason error goodAt nextDueAt".split(
    " ",
  );

export const commands: Command[] = [
  command({
    name: "app add",
    description: "Follow an app of a store.",
    options: {
      workspace: workspaceOption("The workspace that follows it."),
      store: {
        ...optional("--store <store>", `${anyOf(storeIds)}; a link names it itself.`),
        values: storeIds,
      },
      externalId: {
        ...optional("--external-id <id>", "Its id there: a number, or a package name."),
        field: "externalAppId",
      },
      link: optional("--link <url>", "A link to it in its store, instead of the id."),
      bundleId: optional("--bundle-id <id>", "Its bundle id or package name, instead of the id."),
      search: optional("--search <words>", "Words to search the store for, instead of the id."),
      name: optional("--name <name>", "How it is called here; the store's name unless given."),
      countries: list("--countries <codes>", "Storefronts with commas, or all."),
      languages: list(
        "--languages <codes>",
        "Languages with commas (Google Play), or all; en-GB is English in one country.",
      ),
      collect: {
        ...unless("--no-collect", "Collect nothing: the app holds imports only."),
        field: "isCollected",
      },
      credential: {
        ...optional("--credential <credential>", "Read reviews through this account at the store."),
        field: "credentialId",
        refersTo: "credential",
      },
    },
    async run(context, values) {
      const { stores } = await context.loadContainer();
      const found = await findApp(stores, {
        store: values.store ?? null,
        externalAppId: values.externalId ?? null,
        link: values.link ?? null,
        bundleId: values.bundleId ?? null,
        search: values.search ?? null,
        countries: values.countries ?? null,
      });
      const { result, warning } = await operate(context, addApp, {
        workspaceId: values.workspace,
        values: {
          store: found.store,
          externalAppId: found.externalAppId,
          name: values.name,
          countries: values.countries,
          foundIn: found.region,
          languages: values.languages,
          isCollected: values.collect,
          credentialId: values.credential,
        },
      });
      const notes = [found.note, warning].filter((note) => note !== null);
      return { value: { ...result, warning: notes.length > 0 ? notes.join("; ") : null } };
    },
  }),
  command({
    name: "app list",
    description: "List apps with the coverage of what is collected.",
    options: { workspace: workspaceFilter() },
    async run(context, { workspace }) {
      const apps = await listAppsWithCoverage(context, { workspaceId: workspace ?? null });
      const pace = paceOf(context.config);
      const rounds = await readRounds(context.database, pace);
      const stores = new Set(apps.map(({ store }) => store));
      for (const [store, { note }] of rounds) if (stores.has(store) && note) context.note(note);
      if (!context.isJson) {
        for (const line of apps.flatMap(describeFailingFeeds)) context.note(line);
        for (const line of describeQuietApps(apps, pace)) context.note(line);
      }
      return {
        value: apps.map((app) => ({
          ...app,
          round: rounds.get(app.store) ?? null,
          ...(!context.isJson && summarizeReading(app)),
        })),
        columns,
      };
    },
  }),
  command({
    name: "app show",
    description: "Show an app: its facts from the store, and the coverage of its feeds.",
    args: {
      id: reference("app", { flags: "<app>", description: "Its id, name or id in the store." }),
    },
    async run(context, { id }) {
      return { value: await findAppWithCoverage(context, { field: "app", id, workspaceId: null }) };
    },
  }),
  command({
    name: "app remove",
    description:
      "Stop following an app. Its reviews are deleted unless another workspace follows it.",
    args: {
      id: reference("app", { flags: "<app>", description: "Its id, name or id in the store." }),
    },
    question: async ({ database }, { id }) => {
      const app = await requireApp(database, { id, workspaceId: null });
      return `Stop following ${app.name} (${app.store})? Its reviews are deleted unless another workspace follows it.`;
    },
    async run(context, { id }) {
      const { result: removed } = await operate(context, removeApp, { id });
      // No service needs to run for what is left of a large app.
      await deleteRemovedListings(context.database, {
        onBatch: (count) => context.showProgress(`${count} rows deleted`),
      });
      return { value: removed };
    },
  }),
  command({
    name: "collect",
    options: {
      app: appOption,
      region: optional("--region <code>", "Only this storefront or language."),
      acceptQuarantined: flag("--accept-quarantined", "Save pages that look wrong, too."),
    },
    async run(context, values) {
      const app = await requireApp(context.database, { id: values.app, workspaceId: null });
      const { region = null } = values;
      const { result } = await operate(context, collectApp, { id: app.id, values: { region } });
      const listing = await context.database.findListing(app.listingId);
      if (!listing) throw notFound("app", app.id);
      const { crawlListing } = await context.loadContainer();
      const { summaries, busyFeeds } = await crawlListing({
        listing,
        feeds: result.feeds,
        acceptsQuarantined: values.acceptQuarantined,
        onPage: ({ kind, region, pages, reviews }) =>
          context.showProgress(`${kind} ${region}: page ${pages}, ${reviews} reviews so far`),
      });
      for (const { kind, region, checkpoint, lastError, nextDueAt } of busyFeeds) {
        const far = checkpoint ? `, ${checkpoint.reviewCount} reviews so far` : "";
        // A postponed feed isn't due yet, and its error says why.
        const isPostponed = lastError !== null && nextDueAt > context.clock.now();
        const reason = isPostponed ? `not now: ${lastError}` : "another worker is crawling it";
        context.note(`${kind} ${region}: ${reason}${far}`);
      }
      const isFailed =
        summaries.length > 0 && summaries.every(({ outcome }) => outcome === "unknown");
      const value = await mergeCoverage(context, { app, summaries, busyFeeds });
      return { value, columns: crawlColumns, isFailed };
    },
  }),
];

/** How far the feeds of an app are, in one line of the list. */
function summarizeReading({ feeds }: Pick<AppWithCoverage, "feeds">) {
  const goodTimes = feeds.flatMap(({ goodAt }) => goodAt ?? []);
  const dueTimes = feeds.flatMap(({ nextDueAt }) => nextDueAt ?? []);
  const failing = feeds.filter(({ outcome }) => outcome === "unknown").length;
  const read = `${goodTimes.length} of ${feeds.length} feeds read`;
  return {
    reading:
      feeds.length === 0 ? "not collected" : failing > 0 ? `${read}, ${failing} failing` : read,
    lastReadAt: goodTimes.length > 0 ? new Date(Math.max(...goodTimes.map(Number))) : null,
    nextReadAt: dueTimes.length > 0 ? new Date(Math.min(...dueTimes.map(Number))) : null,
  };
}
