// Brings a workspace to the state that a file describes: compares, and creates, changes or removes what differs by the use
// cases of the resources, all in one transaction. A rehearsal is the same, rolled back; so its plan is what would be done.
import { type Channel, channelDefaults } from "../../domain/channel.ts";
import {
  type DestinationFields,
  destinationFieldsOf,
  destinationSchemas,
  toDestination,
} from "../../domain/channel-destination.ts";
import { digestDefaults } from "../../domain/digest-rhythm.ts";
import { AppError } from "../../domain/error.ts";
import { failField } from "../../domain/validation-errors.ts";
import type { Plan } from "../../domain/workspace.ts";
import { chooseRegions } from "../apps/app-regions.ts";
import { lookUpApp, type StoreAppLookup } from "../apps/store-lookup.ts";
import { parseDestinationFields } from "../channels/parse-destination.ts";
import { setMemberRole } from "../members/members.ts";
import { createWorkspace } from "../members/workspaces.ts";
import { appResource } from "./apps.ts";
import { channelResource } from "./channels.ts";
import { pick, type Resource, type ResourceDeps, type View } from "./resource.ts";
import { topicResource, viewResource } from "./resources.ts";
import { appReferenceOf, mapAppOfQuery, type NamedApp, toAppIds } from "./setup-references.ts";
import type { AppEntry, ChannelEntry, Setup } from "./setup-schema.ts";
import { inOneTransaction } from "./transaction-scope.ts";

/** One line of the plan. It names fields and no values: a value may be a secret. */
export type SetupStep = {
  action: "create" | "change" | "remove";
  kind: "workspace" | "app" | "topic" | "view" | "channel" | "member";
  name: string;
  fields: string[];
};

export type ApplySetup = {
  setup: Setup;
  /** null: the workspace of the file is created, with this plan. */
  workspaceId: string | null;
  plan?: Plan;
  /** Whether things are removed that a section of the file does not name. */
  prunes: boolean;
  setsRoles: boolean;
};
type Apply = ApplySetup & { workspaceId: string };

/**
 * Sections that the file lacks stay as they are. Nothing is removed unless `prunes`.
 *
 * @throws AppError as the use cases, and `invalid_input` for a name that is there twice; nothing is done then
 */
export async function applySetup(deps: ResourceDeps, apply: ApplySetup): Promise<SetupStep[]> {
  assertNamesAreUnique(apply.setup);
  const prepared = await prepareRequests(deps, apply);
  let unconfirmed: Channel[] = [];
  let moved: Channel[] = [];
  const steps = await inOneTransaction(deps.database, async (database) => {
    unconfirmed = [];
    moved = [];
    const announceMove = async (channel: Channel) => void moved.push(channel);
    const confirmRecipients = async (_: unknown, channel: Channel) => {
      unconfirmed.push(channel);
      return null;
    };
    const joined = { ...prepared, database, confirmRecipients, announceMove };
    if (apply.workspaceId !== null)
      return carryOut(joined, { ...apply, workspaceId: apply.workspaceId });
    const { plan = "studio", setup } = apply;
    const input = { name: setup.workspace ?? "", plan };
    const { id: workspaceId, name } = await createWorkspace(joined, input);
    const created: SetupStep = { action: "create", kind: "workspace", name, fields: [] };
    return [created, ...(await carryOut(joined, { ...apply, workspaceId }))];
  });
  for (const channel of unconfirmed) await deps.confirmRecipients(deps.database, channel);
  for (const channel of moved) await deps.announceMove(channel);
  return steps;
}

async function carryOut(deps: ResourceDeps, apply: Apply): Promise<SetupStep[]> {
  const { setup, prunes } = apply;
  const steps: SetupStep[] = [];
  await applyTopics(deps, apply, steps);
  await applyApps(deps, apply, steps);
  await applyViews(deps, apply, steps);
  await applyChannels(deps, apply, steps);
  if (prunes) {
    const kept = (names: readonly string[] | undefined) => names && new Set(names);
    const rest = { deps, apply, steps };
    await prune(rest, channelResource, kept(setup.channels?.map(({ name }) => name)));
    await prune(rest, viewResource, kept(setup.views?.map(({ name }) => name)));
    await prune(rest, appResource, kept(setup.apps?.map(appReferenceOf)));
    await prune(rest, topicResource, kept(setup.topics?.map(({ name }) => name)));
  }
  await applyMembers(deps, apply, steps);
  return steps;
}

function nameOf(resource: Resource, view: View): string {
  return resource.noun === "app"
    ? appReferenceOf(view as unknown as NamedApp)
    : String(view["name"]);
}

async function prune(
  { deps, apply, steps }: { deps: ResourceDeps; apply: Apply; steps: SetupStep[] },
  resource: Resource,
  kept: Set<string> | undefined,
): Promise<void> {
  if (!kept) return;
  const { workspaceId } = apply;
  for (const view of await resource.list(deps.database, workspaceId)) {
    const name = nameOf(resource, view);
    if (kept.has(name)) continue;
    await resource.remove(deps, { workspaceId, id: view.id });
    steps.push({ action: "remove", kind: resource.noun as SetupStep["kind"], name, fields: [] });
  }
}

/** Creates the thing, or changes those of the target fields that differ. */
async function save(
  { deps, workspaceId, steps }: { deps: ResourceDeps; workspaceId: string; steps: SetupStep[] },
  resource: Resource,
  thing: { current: View | undefined; target: object; fields: readonly string[]; name: string },
): Promise<void> {
  const { current, target, fields, name } = thing;
  const kind = resource.noun as SetupStep["kind"];
  if (!current) {
    await resource.create(deps, workspaceId, target);
    steps.push({ action: "create", kind, name, fields: [] });
  } else if (fields.length > 0) {
    await resource.change(deps, { workspaceId, id: current.id }, pick(target, fields));
    steps.push({ action: "change", kind, name, fields: [...fields] });
  }
}

function differing(current: View | undefined, target: object): string[] {
  if (!current) return [];
  const textOf = (value: unknown) => JSON.stringify(value ?? null);
  return Object.entries(target).flatMap(([field, value]) =>
    value === undefined || textOf(current[field]) === textOf(value) ? [] : [field],
  );
}

async function applyTopics(deps: ResourceDeps, apply: Apply, steps: SetupStep[]): Promise<void> {
  const { workspaceId } = apply;
  const views = await topicResource.list(deps.database, workspaceId);
  for (const target of apply.setup.topics ?? []) {
    const { name } = target;
    const current = views.find((view) => view["name"] === name);
    const fields = differing(current, target);
    await save({ deps, workspaceId, steps }, topicResource, { current, target, fields, name });
  }
}

async function applyApps(deps: ResourceDeps, apply: Apply, steps: SetupStep[]): Promise<void> {
  const { workspaceId } = apply;
  const views = await appResource.list(deps.database, workspaceId);
  const credentials = await deps.database.listCredentials({ workspaceId });
  for (const entry of apply.setup.apps ?? []) {
    const name = appReferenceOf(entry);
    const current = views.find((view) => nameOf(appResource, view) === name);
    const credential = credentials.find((one) => one.name === entry.credential);
    if (entry.credential !== undefined && !credential) {
      failField("apps", `${name}: there is no store credential ${entry.credential}`);
    }
    const fixed = { isCollected: entry.isCollected, credentialId: credential?.id ?? null };
    if (differing(current, fixed).length > 0) {
      failField("apps", `${name}: isCollected and credential can't be changed; unfollow it first`);
    }
    const regions = regionsOf(entry);
    const chosen = { name: entry.name, ...regions };
    const target = { ...pick(entry, ["store", "externalAppId"]), ...fixed, ...chosen };
    // Without a name the store's counts when it is created, and any name stays afterwards.
    const created = {
      ...target,
      name: entry.name ?? null,
      ...(entry.isCollected ? {} : noRegions),
    };
    const fields = entry.isCollected
      ? differing(current, chosen)
      : differing(current, { name: entry.name });
    const place = { deps, workspaceId, steps };
    await save(place, appResource, { current, target: created, fields, name });
  }
}

const noRegions = { countries: null, languages: null };

/** As they are stored; the languages of a store without them are none. */
function regionsOf(entry: AppEntry): { countries: string[]; languages: string[] } {
  const { store, countries = null, languages = null, credential } = entry;
  if (!entry.isCollected) return { countries: [], languages: [] };
  if (credential !== undefined) return { countries: countries ?? [], languages: [] };
  return chooseRegions(store, { countries, languages }).regions;
}

async function applyViews(deps: ResourceDeps, apply: Apply, steps: SetupStep[]): Promise<void> {
  const { workspaceId } = apply;
  const apps = await deps.database.listApps({ workspaceId });
  const views = await viewResource.list(deps.database, workspaceId);
  for (const entry of apply.setup.views ?? []) {
    const { name } = entry;
    const toId = (app: string) => (app.includes("/") ? (toAppIds([app], apps)[0] ?? app) : app);
    const target = { name, query: mapAppOfQuery(entry.query, toId) };
    const current = views.find((view) => view["name"] === name);
    const fields = differing(current, target);
    await save({ deps, workspaceId, steps }, viewResource, { current, target, fields, name });
  }
}

const destinationNames = new Set<string>(
  Object.values(destinationSchemas).flatMap((schema) => Object.keys(schema.shape)),
);
const channelFallbacks = {
  ...channelDefaults,
  ...digestDefaults,
  filter: null,
  view: null,
  isPaused: false,
};

async function applyChannels(deps: ResourceDeps, apply: Apply, steps: SetupStep[]): Promise<void> {
  const { workspaceId } = apply;
  const apps = await deps.database.listApps({ workspaceId });
  const savedViews = await deps.database.listSavedViews(workspaceId);
  const channels = await deps.database.listChannels({ workspaceId });
  const views = await channelResource.list(deps.database, workspaceId);
  for (const entry of apply.setup.channels ?? []) {
    const { name } = entry;
    const named = channels.filter((channel) => channel.name === name);
    if (named.length > 1)
      failField("channels", `${named.length} channels are named ${name}: rename one`);
    const view = savedViews.find((one) => one.name === entry.view || one.id === entry.view);
    const ids = entry.apps ? { apps: toAppIds(entry.apps, apps) } : {};
    const target = {
      ...channelFallbacks,
      ...entry,
      ...ids,
      ...(entry.view ? { view: view?.id ?? entry.view } : {}),
    };
    const current = views.find((one) => one.id === named[0]?.id);
    const settings = Object.fromEntries(
      Object.entries(target).filter(([field]) => !destinationNames.has(field)),
    );
    const fields = differing(current, settings);
    if (named[0] && (await isElsewhere(deps, named[0], entry))) {
      fields.push(...destinationFieldsOf(named[0].type).filter((field) => field in entry));
    }
    await save({ deps, workspaceId, steps }, channelResource, { current, target, fields, name });
  }
}

/** Whether the file names another destination, secrets included. A file that is wrong here is refused by the use case. */
async function isElsewhere(
  { database, secretBox }: ResourceDeps,
  channel: Channel,
  entry: ChannelEntry,
): Promise<boolean> {
  const entered = pick(entry, destinationFieldsOf(channel.type));
  if (Object.keys(entered).length === 0) return false;
  const { data } = destinationSchemas[channel.type].safeParse(entered);
  if (!data) return true;
  const target = toDestination(channel.type, data as DestinationFields, null);
  const isShownSame =
    target.url === channel.url && target.recipients.join() === channel.recipients.join();
  if (!isShownSame || target.secret === null) return !isShownSame;
  const sealed = await database.findChannelSecret(channel.id);
  return !sealed || secretBox.open(sealed.encryptedSecret, channel.id) !== target.secret;
}

async function applyMembers(deps: ResourceDeps, apply: Apply, steps: SetupStep[]): Promise<void> {
  const { workspaceId } = apply;
  const members = await deps.database.listMembers(workspaceId);
  for (const { email, role } of apply.setup.members ?? []) {
    const member = members.find((one) => one.email === email.toLowerCase());
    if (!member) return failField("members", `${email} is not a member: invite them first`);
    if (member.role === role) continue;
    if (!apply.setsRoles) {
      const message = `the role of ${email} can be changed on the server alone, not with a key`;
      throw new AppError("conflict", message);
    }
    await setMemberRole(deps, { workspaceId, userId: member.userId, role });
    steps.push({ action: "change", kind: "member", name: email, fields: ["role"] });
  }
}

/** Asks stores and resolves names before the transaction, which then finds the answers here. */
async function prepareRequests(
  deps: ResourceDeps,
  { setup, workspaceId }: ApplySetup,
): Promise<ResourceDeps> {
  const checkUrl = remember(deps.checkUrl);
  const { appstore, googleplay } = deps.stores;
  const stores = { appstore: rememberLookups(appstore), googleplay: rememberLookups(googleplay) };
  const apps = workspaceId === null ? [] : await deps.database.listApps({ workspaceId });
  const followed = new Set(apps.map(appReferenceOf));
  for (const entry of setup.apps ?? []) {
    const { countries } = regionsOf(entry);
    if (followed.has(appReferenceOf(entry)) || countries.length === 0) continue;
    await lookUpApp(stores[entry.store], { externalAppId: entry.externalAppId, countries });
  }
  for (const entry of setup.channels ?? []) {
    const { type = "webhook" } = entry;
    const input = pick(entry, destinationFieldsOf(type));
    await parseDestinationFields({ checkUrl }, { type, input, before: null }).catch(ignoreRefusal);
  }
  return { ...deps, checkUrl, stores };
}

/** The use case refuses it again, with the thing's own words. */
function ignoreRefusal(error: unknown): void {
  if (!(error instanceof AppError)) throw error;
}

function rememberLookups(store: StoreAppLookup): StoreAppLookup {
  return {
    validateAppId: (text) => store.validateAppId(text),
    fetchApp: remember((request) => store.fetchApp(request)),
  };
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

/** @throws AppError `invalid_input` */
function assertNamesAreUnique({ apps, topics, views, channels, members }: Setup): void {
  const sections = {
    apps: apps?.map(appReferenceOf),
    topics: topics?.map(({ name }) => name),
    views: views?.map(({ name }) => name),
    channels: channels?.map(({ name }) => name),
    members: members?.map(({ email }) => email.toLowerCase()),
  };
  for (const [field, names = []] of Object.entries(sections)) {
    const twice = names.find((name, index) => names.indexOf(name) !== index);
    if (twice !== undefined) failField(field, `${twice} is there twice`);
  }
}
