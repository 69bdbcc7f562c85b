// Brings a workspace to the state that a file describes: compares, and creates, changes or removes what differs by the use
// cases of the resources, all in one transaction. A rehearsal is the same, rolled back; so its plan is what would be done.
import { type Channel, channelDefaults } from "../domain/channel.ts";
import {
  type DestinationFields,
  destinationFieldsOf,
  destinationSchemas,
  toDestination,
} from "../domain/channel-destination.ts";
import { AppError } from "../domain/error.ts";
import { failField } from "../domain/validation-errors.ts";
import type { Plan } from "../domain/workspace.ts";
import { pick } from "../lib/pick.ts";
import { chooseRegions } from "../use-cases/apps/app-regions.ts";
import { lookUpApp, type StoreAppLookup } from "../use-cases/apps/store-lookup.ts";
import { parseDestinationFields } from "../use-cases/channels/parse-destination.ts";
import { setMemberRole } from "../use-cases/members/members.ts";
import { assertLimit } from "../use-cases/members/workspace-limits.ts";
import { createWorkspace } from "../use-cases/members/workspaces.ts";
import { appResource } from "./app-resource.ts";
import { channelResource } from "./channel-resource.ts";
import type { Resource, ResourceDeps, ResourceNoun, View } from "./resource.ts";
import { topicResource, viewResource } from "./resources.ts";
import { appReferenceOf, mapAppOfQuery, type NamedApp, toAppIds } from "./setup-references.ts";
import type { AppEntry, ChannelEntry, Setup } from "./setup-schema.ts";
import { inOneTransaction } from "./transaction-scope.ts";

/** One line of the plan. It names fields and no values: a value may be a secret. */
export type SetupStep = {
  /** `skip`: the person has not joined yet. */
  action: "create" | "change" | "remove" | "skip";
  kind: ResourceNoun | "workspace" | "member";
  name: string;
  fields: readonly string[];
};

type ApplySetup = {
  setup: Setup;
  /** null: the workspace of the file is created, with this plan. */
  workspaceId: string | null;
  plan?: Plan;
  /** Whether things are removed that a section of the file does not name. */
  prunes: boolean;
  setsRoles: boolean;
};
/** The work on one workspace, which adds its steps. */
type Apply = ApplySetup & { workspaceId: string; deps: ResourceDeps; steps: SetupStep[] };

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
      return carryOut({ ...apply, workspaceId: apply.workspaceId, deps: joined, steps: [] });
    const { plan = "studio", setup } = apply;
    const input = { name: setup.workspace ?? "", plan };
    const { id: workspaceId, name } = await createWorkspace(joined, input);
    const created: SetupStep = { action: "create", kind: "workspace", name, fields: [] };
    return carryOut({ ...apply, workspaceId, deps: joined, steps: [created] });
  });
  for (const channel of unconfirmed) await deps.confirmRecipients(deps.database, channel);
  for (const channel of moved) await deps.announceMove(channel);
  return steps;
}

async function carryOut(apply: Apply): Promise<SetupStep[]> {
  const { setup, prunes } = apply;
  await applyNamed(apply, topicResource, setup.topics);
  await applyApps(apply);
  await applyNamed(apply, viewResource, await toViewsById(apply));
  await applyChannels(apply);
  if (prunes) {
    const nameOf = ({ name }: { name: string }) => name;
    await prune(apply, channelResource, setup.channels?.map(nameOf));
    await prune(apply, viewResource, setup.views?.map(nameOf));
    await prune(apply, appResource, setup.apps?.map(appReferenceOf));
    await prune(apply, topicResource, setup.topics?.map(nameOf));
  }
  await applyMembers(apply);
  return apply.steps;
}

function nameOfView(resource: Resource, view: View): string {
  return resource.noun === "app"
    ? appReferenceOf(view as unknown as NamedApp)
    : String(view["name"]);
}

async function prune(
  { deps, workspaceId, steps }: Apply,
  resource: Resource,
  kept: readonly string[] | undefined,
): Promise<void> {
  if (!kept) return;
  for (const view of await resource.list(deps.database, workspaceId)) {
    const name = nameOfView(resource, view);
    if (kept.includes(name)) continue;
    await resource.remove(deps, { workspaceId, id: view.id });
    steps.push({ action: "remove", kind: resource.noun, name, fields: [] });
  }
}

/** Creates the thing, or changes those of the target fields that differ. */
async function save(
  { deps, workspaceId, steps }: Apply,
  resource: Resource,
  thing: { current: View | undefined; target: object; fields: readonly string[]; name: string },
): Promise<void> {
  const { current, target, fields, name } = thing;
  const kind = resource.noun;
  if (!current) {
    await resource.create(deps, workspaceId, target);
    steps.push({ action: "create", kind, name, fields: [] });
  } else if (fields.length > 0) {
    await resource.change(deps, { workspaceId, id: current.id }, pick(target, fields));
    steps.push({ action: "change", kind, name, fields });
  }
}

function differing(current: View | undefined, target: object): string[] {
  if (!current) return [];
  const textOf = (value: unknown) => JSON.stringify(value ?? null);
  return Object.entries(target).flatMap(([field, value]) =>
    value === undefined || textOf(current[field]) === textOf(value) ? [] : [field],
  );
}

async function applyNamed(
  apply: Apply,
  resource: Resource,
  targets: readonly { name: string }[] = [],
): Promise<void> {
  const views = await resource.list(apply.deps.database, apply.workspaceId);
  for (const target of targets) {
    const { name } = target;
    const current = views.find((view) => view["name"] === name);
    await save(apply, resource, { current, target, fields: differing(current, target), name });
  }
}

async function applyApps(apply: Apply): Promise<void> {
  const { database } = apply.deps;
  const { workspaceId } = apply;
  const views = await appResource.list(database, workspaceId);
  const credentials = await database.listCredentials({ workspaceId });
  for (const entry of apply.setup.apps ?? []) {
    const name = appReferenceOf(entry);
    const current = views.find((view) => nameOfView(appResource, view) === name);
    const credential = credentials.find((one) => one.name === entry.credential);
    if (entry.credential !== undefined && !credential) {
      failField("apps", `${name}: there is no store credential ${entry.credential}`);
    }
    const { isCollected } = entry;
    const fixed = { isCollected, credentialId: credential?.id ?? null };
    if (differing(current, fixed).length > 0) {
      failField("apps", `${name}: isCollected and credential can't be changed; unfollow it first`);
    }
    const regions = regionsOf(entry);
    const chosen = isCollected ? { name: entry.name, ...regions } : { name: entry.name };
    const { countries = null, languages = null } = entry;
    const target = {
      ...pick(entry, ["store", "externalAppId"]),
      ...fixed,
      // A change compares with the stored form, which a creation would refuse.
      ...(current ? regions : { countries, languages }),
      // Without a name the store's counts when it is created, and any name stays afterwards.
      name: entry.name ?? null,
    };
    await save(apply, appResource, { current, target, fields: differing(current, chosen), name });
  }
}

/** As they are stored; the languages of a store without them are none. */
function regionsOf(entry: AppEntry): { countries: string[]; languages: string[] } {
  const { store, countries = null, languages = null, credential } = entry;
  if (!entry.isCollected) return { countries: [], languages: [] };
  if (credential !== undefined) return { countries: countries ?? [], languages: [] };
  return chooseRegions(store, { countries, languages }).regions;
}

async function toViewsById({ deps, workspaceId, setup }: Apply): Promise<Setup["views"]> {
  const apps = await deps.database.listApps({ workspaceId });
  const toId = (app: string) => (app.includes("/") ? (toAppIds([app], apps)[0] ?? app) : app);
  return setup.views?.map(({ name, query }) => ({ name, query: mapAppOfQuery(query, toId) }));
}

const destinationNames = new Set<string>(
  Object.values(destinationSchemas).flatMap((schema) => Object.keys(schema.shape)),
);

async function applyChannels(apply: Apply): Promise<void> {
  const { deps, workspaceId } = apply;
  const apps = await deps.database.listApps({ workspaceId });
  const savedViews = await deps.database.listSavedViews(workspaceId);
  const channels = await deps.database.listChannels({ workspaceId });
  const views = await channelResource.list(deps.database, workspaceId);
  for (const entry of apply.setup.channels ?? []) {
    const { name } = entry;
    const [known, ...others] = channels.filter((channel) => channel.name === name);
    if (others.length > 0)
      failField("channels", `${others.length + 1} channels are named ${name}: rename one`);
    const view = savedViews.find((one) => one.name === entry.view || one.id === entry.view);
    const target = {
      ...channelDefaults,
      ...entry,
      ...(entry.apps && { apps: toAppIds(entry.apps, apps) }),
      ...(entry.view && { view: view?.id ?? entry.view }),
    };
    const current = views.find((one) => one.id === known?.id);
    const settings = Object.entries(target).filter(([field]) => !destinationNames.has(field));
    const fields = differing(current, Object.fromEntries(settings));
    if (known && (await isElsewhere(deps, known, entry))) {
      fields.push(...destinationFieldsOf(known.type).filter((field) => field in entry));
    }
    await save(apply, channelResource, { current, target, fields, name });
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

async function applyMembers(apply: Apply): Promise<void> {
  const { deps, workspaceId, steps } = apply;
  const members = await deps.database.listMembers(workspaceId);
  for (const { email, role } of apply.setup.members ?? []) {
    const member = members.find((one) => one.email === email.toLowerCase());
    if (member?.role === role) continue;
    if (!member) {
      steps.push({ action: "skip", kind: "member", name: email, fields: [] });
      continue;
    }
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
  { setup, workspaceId, prunes }: ApplySetup,
): Promise<ResourceDeps> {
  const checkUrl = remember(deps.checkUrl);
  const { appstore, googleplay } = deps.stores;
  const stores = { appstore: rememberLookups(appstore), googleplay: rememberLookups(googleplay) };
  const apps = workspaceId === null ? [] : await deps.database.listApps({ workspaceId });
  const followed = new Set(apps.map(appReferenceOf));
  const named = new Set(setup.apps?.map(appReferenceOf));
  const afterwards = prunes && setup.apps ? named : new Set([...followed, ...named]);
  assertLimit(deps, { kind: "apps", count: afterwards.size });
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
