// Writes the set-up of a workspace as the file that `apply` takes. Secrets are placeholders: names of variables.

import type { Database } from "../../database/database.ts";
import { channelDefaults, channelInputSchema } from "../../domain/channel/channel.ts";
import { destinationFieldsOf } from "../../domain/channel/channel-types.ts";
import type { StoreId } from "../../domain/store/store-id.ts";
import { storeTraits } from "../../domain/store/store-traits.ts";
import { pick } from "../../lib/pick.ts";
import { isSameValue } from "../../lib/same-value.ts";
import { appNoun } from "../../operations/app.ts";
import { channelNoun } from "../../operations/channel.ts";
import { listResources, type View } from "../../operations/operation.ts";
import { requireWorkspace } from "../../use-cases/workspaces/workspaces.ts";
import { mapAppOfQuery, toAppReferences } from "./references.ts";
import { listSetupSections } from "./schema.ts";

type Entry = Record<string, unknown>;
type ExportedSetup = { workspace: string; [section: string]: unknown };

/** @throws AppError `not_found` */
export async function exportSetup(
  database: Database,
  { workspaceId }: { workspaceId: string },
): Promise<ExportedSetup> {
  const { name: workspace } = await requireWorkspace(database, { id: workspaceId });
  const apps = await database.listApps({ workspaceId });
  const savedViews = await database.listSavedViews(workspaceId);
  const credentials = await database.listCredentials({ workspaceId });
  const credentialName = (id: unknown) => credentials.find((one) => one.id === id)?.name;
  const channels = (await database.listChannels({ workspaceId })).map(channelNoun.toView);
  const ofFeatures: Entry = {};
  for (const { field, entry, create } of listSetupSections()) {
    const resources = await listResources(create.noun, database, workspaceId);
    ofFeatures[field] = resources
      .map(create.noun.toView)
      .map((view) => pick(view, Object.keys(entry.shape)));
  }
  const members = await database.listMembers(workspaceId);
  const toReference = (id: string) => toAppReferences([id], apps)[0] ?? id;
  return {
    workspace,
    apps: apps
      .map(appNoun.toView)
      .map((view) => toAppEntry(view, credentialName(view["credentialId"]))),
    ...ofFeatures,
    views: savedViews.map(({ name, query }) => ({
      name,
      query: mapAppOfQuery(query, toReference),
    })),
    channels: channels.map((channel) => {
      const view = savedViews.find(({ id }) => id === channel["view"])?.name ?? null;
      const ids = channel["apps"] as string[] | null;
      return toChannelEntry({ ...channel, view, apps: ids && toAppReferences(ids, apps) });
    }),
    members: members.map(({ email, role }) => ({ email, role })),
  };
}

function toAppEntry(view: View, credential: string | undefined): Entry {
  const { store, externalAppId, name, countries, languages, isCollected } = view;
  if (isCollected !== true) return { store, externalAppId, name, isCollected };
  const regions = Object.entries({ countries, languages }).filter(
    ([, codes]) => (codes as string[]).length > 0 && !isFixed(store, codes as string[]),
  );
  const account = credential && { credential };
  return { store, externalAppId, name, ...Object.fromEntries(regions), ...account };
}

/** The one region of a store without storefronts can't be chosen. */
function isFixed(store: unknown, codes: readonly string[]): boolean {
  return codes.length === 1 && codes[0] === storeTraits[store as StoreId].soleRegion;
}

/** Without the fields that have their defaults. */
function toChannelEntry(view: View): Entry {
  const type = channelInputSchema.shape.type.parse(view["type"]) ?? "webhook";
  const fallbacks: Entry = channelDefaults;
  const destination: readonly string[] = destinationFieldsOf(type);
  const settings = Object.entries(pick(view, [...Object.keys(fallbacks), "request"])).filter(
    ([name, value]) => !isSameValue(value, fallbacks[name]),
  );
  const isShown = type === "webhook" || type === "email";
  const places = destination.flatMap((field) => {
    if (isShown || field === "chat") return [[field, view[field]]];
    return [[field, placeholder(String(view["name"]), field)]];
  });
  return { name: view["name"], type, ...Object.fromEntries([...places, ...settings]) };
}

function placeholder(name: string, field: string): string {
  const words = name
    .toUpperCase()
    .replace(/[^A-Z0-9]+/g, "_")
    .replace(/^_|_$/g, "");
  return `env:STARPOST_${words}_${field.toUpperCase()}`;
}
