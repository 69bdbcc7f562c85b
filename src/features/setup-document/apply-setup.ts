// Brings a workspace to the state that a file describes: compares, and creates, changes or removes what differs by the
// operations of the nouns, all in one frame. A rehearsal is the same, rolled back; so its plan is what would be done.
import type { DatabaseTransaction } from "../../database/database.ts";
import { type Channel, channelDefaults } from "../../domain/channel/channel.ts";
import {
  type DestinationFields,
  destinationSchemas,
  toDestination,
} from "../../domain/channel/channel-destination.ts";
import { channelTypeIds, destinationFieldsOf } from "../../domain/channel/channel-types.ts";
import { AppError } from "../../domain/error.ts";
import { appReferenceOf } from "../../domain/feed/listing.ts";
import type { Plan } from "../../domain/people/workspace.ts";
import { failField, nameRefused, parseInput } from "../../domain/validation-errors.ts";
import { pick } from "../../lib/pick.ts";
import { isSameValue } from "../../lib/same-value.ts";
import { addApp, changeApp, removeApp } from "../../operations/app.ts";
import {
  changeChannel,
  channelNoun,
  createChannel,
  removeChannel,
} from "../../operations/channel.ts";
import { type Frame, type FrameOptions, openFrame } from "../../operations/frame.ts";
import { setMemberRole } from "../../operations/member.ts";
import {
  listResources,
  type Noun,
  type Operation,
  type OperationDeps,
  type Resource,
  type View,
} from "../../operations/operation.ts";
import { changeView, createView, removeView } from "../../operations/view.ts";
import { createWorkspace } from "../../operations/workspace.ts";
import { prepareRequests, regionsOf } from "./prepare-requests.ts";
import { mapAppOfQuery, type NamedApp, toAppIds } from "./references.ts";
import { type ChannelEntry, entriesOf, listSetupSections, type Setup } from "./schema.ts";

/** One line of the plan. It names fields and no values: a value may be a secret. */
export type SetupStep = {
  /** `skip`: the person has not joined yet. */
  action: "create" | "change" | "remove" | "skip";
  kind: Noun["noun"];
  name: string;
  fields: readonly string[];
};

type ApplySetup = {
  setup: Setup;
  /** With this plan the workspace of the file is created where there is none. */
  plan?: Plan;
  /** Whether resources are removed that a section of the file does not name. */
  prunes: boolean;
  setsRoles: boolean;
  /** Called with each fact to know about a valid setting, such as a recipient who unsubscribed. */
  onWarning?(warning: string): void;
} & FrameOptions<SetupStep[]>;

/** The work on one workspace, which adds its steps. */
type Apply = ApplySetup & {
  workspaceId: string;
  deps: OperationDeps;
  frame: Frame;
  tx: DatabaseTransaction;
  steps: SetupStep[];
};

/**
 * Sections that the file lacks stay as they are. Nothing is removed unless `prunes`.
 *
 * @param apply.workspaceId null: the workspace that the file names, which is created if there is none
 * @throws AppError as the operations, and `invalid_input` for a name that is there twice; nothing is done then
 */
export async function applySetup(deps: OperationDeps, apply: ApplySetup): Promise<SetupStep[]> {
  assertNamesAreUnique(apply.setup);
  const prepared = await prepareRequests(deps, apply);
  const { result, warnings } = await openFrame(prepared, apply, async (frame) => {
    const steps: SetupStep[] = [];
    const workspaceId = apply.workspaceId ?? (await ensureWorkspace(apply, { frame, steps }));
    return carryOut({ ...apply, workspaceId, deps: prepared, frame, tx: frame.tx, steps });
  });
  for (const warning of warnings) apply.onWarning?.(warning);
  return result;
}

async function ensureWorkspace(
  { setup, plan = "studio" }: ApplySetup,
  { frame, steps }: { frame: Frame; steps: SetupStep[] },
): Promise<string> {
  const { workspace: name = "" } = setup;
  await frame.tx.lockWorkspaceName(name);
  const named = (await frame.tx.listWorkspaces()).filter((one) => one.name === name);
  const [known, ...others] = named;
  if (others.length > 0) failField("workspace", `${named.length} workspaces are named ${name}`);
  if (known) {
    await frame.tx.lockWorkspace(known.id);
    return known.id;
  }
  const input = parseInput(createWorkspace.schema, { name, plan });
  const { result } = await frame.run(createWorkspace, { input });
  steps.push({ action: "create", kind: "workspace", name, fields: [] });
  return result.id;
}

async function carryOut(apply: Apply): Promise<SetupStep[]> {
  const { setup, prunes } = apply;
  const sections = listSetupSections();
  for (const section of sections) await applyNamed(apply, section, entriesOf(setup, section));
  await applyApps(apply);
  await applyNamed(apply, viewVerbs, await toViewsById(apply), isSameQuery);
  await applyChannels(apply);
  if (prunes) {
    const nameOf = ({ name }: { name: string }) => name;
    await prune(apply, removeChannel, setup.channels?.map(nameOf));
    await prune(apply, removeView, setup.views?.map(nameOf));
    await prune(apply, removeApp, setup.apps?.map(appReferenceOf));
    for (const section of sections)
      await prune(apply, section.remove, entriesOf(setup, section)?.map(nameOf));
  }
  await applyMembers(apply);
  return apply.steps;
}

function nameOfResource({ noun }: Noun, resource: Resource): string {
  return noun === "app"
    ? appReferenceOf(resource as unknown as NamedApp)
    : String((resource as unknown as { name: string }).name);
}

async function run<Input>(
  { workspaceId, frame, onWarning }: Apply,
  operation: Operation<Input>,
  { id, values }: { id?: string; values?: object },
): Promise<void> {
  const input = parseInput(operation.schema, values);
  const request = { input, workspaceId, ...(id !== undefined && { id }) };
  const { warning } = await frame.run(operation, request);
  if (warning !== null) onWarning?.(warning);
}

async function prune(
  apply: Apply,
  removal: Operation,
  kept: readonly string[] | undefined,
): Promise<void> {
  if (!kept) return;
  const { tx, workspaceId, steps } = apply;
  const { noun } = removal;
  for (const resource of await listResources(noun, tx, workspaceId)) {
    const name = nameOfResource(noun, resource);
    if (kept.includes(name)) continue;
    await run(apply, removal, { id: resource.id });
    steps.push({ action: "remove", kind: noun.noun, name, fields: [] });
  }
}

type Verbs = { create: Operation; change: Operation };
const appVerbs: Verbs = { create: addApp, change: changeApp };
const channelVerbs: Verbs = { create: createChannel, change: changeChannel };
const viewVerbs: Verbs = { create: createView, change: changeView };

/** Creates the resource, or changes those of the target fields that differ. */
async function save(
  apply: Apply,
  { create, change }: Verbs,
  resource: { current: View | undefined; target: object; fields: readonly string[]; name: string },
): Promise<void> {
  const { steps } = apply;
  const { current, target, fields, name } = resource;
  const kind = create.noun.noun;
  const refuse = (error: unknown) => Promise.reject(nameRefused(error, `${kind} ${name}`));
  if (!current) {
    await run(apply, create, { values: target }).catch(refuse);
    steps.push({ action: "create", kind, name, fields: [] });
  } else if (fields.length > 0) {
    await run(apply, change, { id: current.id, values: pick(target, fields) }).catch(refuse);
    steps.push({ action: "change", kind, name, fields });
  }
}

function differing(
  current: View | undefined,
  target: object,
  isSame: typeof isSameValue = isSameValue,
): string[] {
  if (!current) return [];
  return Object.entries(target).flatMap(([field, value]) =>
    value === undefined || isSame(current[field], value) ? [] : [field],
  );
}

async function listViews({ tx, workspaceId }: Apply, { noun }: Operation): Promise<View[]> {
  return (await listResources(noun, tx, workspaceId)).map(noun.toView);
}

async function applyNamed(
  apply: Apply,
  verbs: Verbs,
  targets: readonly { name: string }[] = [],
  isSame = isSameValue,
): Promise<void> {
  const views = await listViews(apply, verbs.create);
  for (const target of targets) {
    const { name } = target;
    const current = views.find((view) => view["name"] === name);
    await save(apply, verbs, { current, target, fields: differing(current, target, isSame), name });
  }
}

async function applyApps(apply: Apply): Promise<void> {
  const { tx, workspaceId } = apply;
  const views = await listViews(apply, addApp);
  const credentials = await tx.listCredentials({ workspaceId });
  for (const entry of apply.setup.apps ?? []) {
    const name = appReferenceOf(entry);
    const current = views.find((view) => appReferenceOf(view as unknown as NamedApp) === name);
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
    await save(apply, appVerbs, { current, target, fields: differing(current, chosen), name });
  }
}

async function toViewsById({ tx, workspaceId, setup }: Apply): Promise<Setup["views"]> {
  if (!setup.views) return undefined;
  const apps = await tx.listApps({ workspaceId });
  const toId = (app: string) => (app.includes("/") ? (toAppIds([app], apps)[0] ?? app) : app);
  return setup.views.map(({ name, query }) => ({ name, query: mapAppOfQuery(query, toId) }));
}

/** The same parameters in another encoding are no change. */
function isSameQuery(one: unknown, other: unknown): boolean {
  return `${new URLSearchParams(String(one))}` === `${new URLSearchParams(String(other))}`;
}

const destinationNames = new Set<string>(channelTypeIds.flatMap(destinationFieldsOf));

async function applyChannels(apply: Apply): Promise<void> {
  const { tx, workspaceId } = apply;
  const apps = await tx.listApps({ workspaceId });
  const savedViews = await tx.listSavedViews(workspaceId);
  const channels = await tx.listChannels({ workspaceId });
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
    const current = known && channelNoun.toView(known);
    const settings = Object.entries(target).filter(([field]) => !destinationNames.has(field));
    const fields = differing(current, Object.fromEntries(settings));
    if (known && (await isElsewhere(apply, known, entry))) {
      fields.push(...destinationFieldsOf(known.type).filter((field) => field in entry));
    }
    await save(apply, channelVerbs, { current, target, fields, name });
  }
}

/** Whether the file names another destination, secrets included. A file that is wrong here is refused by the operation. */
async function isElsewhere(
  { tx, deps }: Apply,
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
  const sealed = await tx.findChannelSecret(channel.id);
  return !sealed || deps.secretBox.open(sealed.encryptedSecret, channel.id) !== target.secret;
}

async function applyMembers(apply: Apply): Promise<void> {
  const { tx, workspaceId, steps } = apply;
  const members = await tx.listMembers(workspaceId);
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
    await run(apply, setMemberRole, { id: member.userId, values: { role } });
    steps.push({ action: "change", kind: "member", name: email, fields: ["role"] });
  }
}

/** @throws AppError `invalid_input` */
function assertNamesAreUnique(setup: Setup): void {
  const { apps, views, channels, members } = setup;
  const named = listSetupSections().map((section): [string, string[] | undefined] => [
    section.field,
    entriesOf(setup, section)?.map(({ name }) => name),
  ]);
  const sections: Record<string, string[] | undefined> = {
    ...Object.fromEntries(named),
    apps: apps?.map(appReferenceOf),
    views: views?.map(({ name }) => name),
    channels: channels?.map(({ name }) => name),
    members: members?.map(({ email }) => email.toLowerCase()),
  };
  for (const [field, names = []] of Object.entries(sections)) {
    const twice = names.find((name, index) => names.indexOf(name) !== index);
    if (twice !== undefined) failField(field, `${twice} is there twice`);
  }
}
