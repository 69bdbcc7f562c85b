// The features that this product has, a line for each, and their rows in the tables of the core. See features/feature.ts.

import { healers } from "../crawling/healer.ts";
import { labelers } from "../database/labelers.ts";
import { ownDatabases } from "../database/own-database.ts";
import { offerEvents } from "../domain/channel/channel.ts";
import { alerts } from "../features/alerts/feature.ts";
import { digests } from "../features/digests/feature.ts";
import { doctor } from "../features/doctor/feature.ts";
import { embeddedPostgres } from "../features/embedded-postgres/feature.ts";
import { exports } from "../features/exports/feature.ts";
import type { Feature, FeatureContext } from "../features/feature.ts";
import { imports } from "../features/imports/feature.ts";
import { learnedShapes } from "../features/learned-shapes/feature.ts";
import { mcp } from "../features/mcp/feature.ts";
import { ownTopics } from "../features/own-topics/feature.ts";
import { providers } from "../features/providers/feature.ts";
import { replies } from "../features/replies/feature.ts";
import { setupDocument } from "../features/setup-document/feature.ts";
import { sharing } from "../features/sharing/feature.ts";
import { singleSignOn } from "../features/single-sign-on/feature.ts";
import { sqlUsers } from "../features/sql-users/feature.ts";
import { storeAccounts } from "../features/store-accounts/feature.ts";
import { triage } from "../features/triage/feature.ts";
import { verdict } from "../features/verdict/feature.ts";
import { lazy } from "../lib/lazy.ts";
import type { ResourceStack } from "../lib/resource-stack.ts";
import { addOperations } from "../operations/operations.ts";
import {
  incidentReaders,
  replyOutcomeReaders,
  verdictReaders,
} from "../use-cases/apps/feature-readers.ts";
import { alertFinders } from "../use-cases/channels/alert-finders.ts";
import { endings } from "../use-cases/endings.ts";
import { readerLists } from "../use-cases/outgoing/readers.ts";
import { portableKinds } from "../use-cases/portable-kinds.ts";
import { settingChecks } from "./check-settings.ts";
import { fileReports } from "./file-report.ts";
import { outsideChecks } from "./outside-checks.ts";
import { providerTable } from "./providers.ts";
import { signInProviders } from "./sign-in-provider.ts";
import { accountTable } from "./store-accounts.ts";

export const features: readonly Feature[] = [
  alerts, // alerts: failures, rises and worse releases as events of channels
  digests, // digests: what changed, for channels, people and programs
  doctor, // doctor: checks of what the service needs, on demand and of the stores every few hours
  embeddedPostgres, // embedded-postgres: a database in the data folder for those who have none
  exports, // exports: reviews, ratings and workspaces as files
  imports, // imports: reviews, ratings and workspaces from files
  learnedShapes, // learned-shapes: reading on after a store changed its pages
  mcp, // mcp: reading for assistants
  replies, // replies: answers to reviews through the stores' official APIs
  ownTopics, // own-topics: topics that a workspace defines itself
  providers, // providers: translation, and analysis by a language model
  setupDocument, // setup-document: the set-up of a workspace as one file
  sharing, // sharing: links by which people without an account read one page, and feed readers a view
  singleSignOn, // single-sign-on: signing in by an account at a provider of OpenID Connect
  sqlUsers, // sql-users: roles of PostgreSQL that read a workspace
  storeAccounts, // store-accounts: reading and answering through the owner's account at a store
  triage, // triage: tags, assignees and notes of reviews
  verdict, // verdict: whether a release made people unhappy
];

/** Hands their rows to the tables, once for a process: before the service, a command or a test reads them. */
export const installFeatures = lazy((): void => {
  for (const feature of features) {
    offerEvents(feature.events ?? []);
    addOperations(feature.nouns ?? []);
    portableKinds.push(...(feature.portableKinds ?? []));
    alertFinders.push(...(feature.alertFinders ?? []));
    add(labelers, feature.label);
    add(verdictReaders, feature.readVerdicts);
    add(incidentReaders, feature.readIncidents);
    add(replyOutcomeReaders, feature.readReplyOutcomes);
    add(healers, feature.loadHealer);
    add(accountTable, feature.loadStoreAccounts);
    add(endings, feature.ending);
    add(readerLists, feature.listReaders);
    add(providerTable, feature.providers);
    add(signInProviders, feature.loadSignInProvider);
    add(settingChecks, feature.checkSettings);
    add(outsideChecks, feature.loadOutsideChecks);
    add(fileReports, feature.loadFileReport);
    add(ownDatabases, feature.loadDatabase);
  }
});

function add<Row>(table: Row[], row: Row | undefined): void {
  if (row !== undefined) table.push(row);
}

/** Starts the workers of the roles of this process. */
export async function openFeatureWorkers(
  context: FeatureContext,
  resources: ResourceStack,
): Promise<void> {
  for (const { role, load } of features.flatMap(({ workers = [] }) => workers)) {
    if (context.config.roles.includes(role)) (await load())(context, resources);
  }
}
