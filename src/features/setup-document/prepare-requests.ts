// Asks stores and name servers before the transaction that applies a document, which sends no request.

import { destinationFieldsOf } from "../../domain/channel/channel-types.ts";
import { AppError } from "../../domain/error.ts";
import { appReferenceOf } from "../../domain/feed/listing.ts";
import { ofEachStore } from "../../domain/store/store-id.ts";
import { pick } from "../../lib/pick.ts";
import type { OperationDeps } from "../../operations/operation.ts";
import { chooseRegions } from "../../use-cases/apps/app-regions.ts";
import { lookUpApp, type StoreAppLookup } from "../../use-cases/apps/store-lookup.ts";
import { parseDestinationFields } from "../../use-cases/channels/parse-destination.ts";
import { assertLimit } from "../../use-cases/workspaces/workspace-limits.ts";
import type { AppEntry, Setup } from "./schema.ts";

/** As they are stored; the languages of a store without them are none. */
export function regionsOf(entry: AppEntry): { countries: string[]; languages: string[] } {
  const { store, countries = null, languages = null, credential } = entry;
  if (!entry.isCollected) return { countries: [], languages: [] };
  if (credential !== undefined) return { countries: countries ?? [], languages: [] };
  return chooseRegions(store, { countries, languages }).regions;
}

/** Asks stores and resolves names before the transaction, which then finds the answers here. */
export async function prepareRequests(
  deps: OperationDeps,
  { setup, workspaceId, prunes }: { setup: Setup; workspaceId: string | null; prunes: boolean },
): Promise<OperationDeps> {
  const checkUrl = remember(deps.checkUrl);
  if (!setup.apps && !setup.channels) return deps;
  let isPrepared = false;
  // The transaction sends no request: a storefront that was not asked before is not asked in it.
  const rememberLookups = (store: StoreAppLookup): StoreAppLookup => ({
    ...store,
    fetchApp: remember(async (request) => (isPrepared ? notAsked : store.fetchApp(request))),
  });
  const loaded = await deps.loadStores();
  const stores = ofEachStore((store) => rememberLookups(loaded[store]));
  const apps = workspaceId === null ? [] : await deps.database.listApps({ workspaceId });
  const followed = new Set(apps.map(appReferenceOf));
  const named = new Set(setup.apps?.map(appReferenceOf));
  const afterwards = prunes && setup.apps ? named : new Set([...followed, ...named]);
  assertLimit(deps, { kind: "apps", count: afterwards.size });
  for (const entry of setup.apps ?? []) {
    const { store, externalAppId } = entry;
    const { countries } = regionsOf(entry);
    const isAsked = countries.length > 0 && stores[store].validateAppId(externalAppId).ok;
    if (isAsked && !followed.has(appReferenceOf(entry)))
      await lookUpApp(stores[store], { externalAppId, countries });
  }
  for (const entry of setup.channels ?? []) {
    const { type = "webhook" } = entry;
    const input = pick(entry, destinationFieldsOf(type));
    await parseDestinationFields({ checkUrl }, { type, input, before: null }).catch(ignoreRefusal);
  }
  isPrepared = true;
  return { ...deps, checkUrl, loadStores: async () => stores };
}

const notAsked = { outcome: "unknown", reason: "the store was not asked in time" } as const;

/** The operation refuses it again, with the resource's own words. */
function ignoreRefusal(error: unknown): void {
  if (!(error instanceof AppError)) throw error;
}

function remember<Query extends unknown[], Answer>(
  request: (...query: Query) => Promise<Answer>,
): (...query: Query) => Promise<Answer> {
  const answers = new Map<string, Promise<Answer>>();
  return (...query) => {
    const key = JSON.stringify(query);
    const answer = answers.get(key) ?? request(...query);
    answers.set(key, answer);
    return answer;
  };
}
