// Creates and changes channels. A change takes effect for everything that is not being sent yet.
import type { Database } from "../../database/database.ts";
import {
  type Channel,
  type ChannelFilters,
  type ChannelInput,
  channelDefaults,
  channelInputSchema,
  describeChannelWarnings,
  findUnknownTopic,
  type ListedChannel,
} from "../../domain/channel.ts";
import {
  type DestinationFields,
  describeDestination,
  toDestination,
} from "../../domain/channel-destination.ts";
import { type DigestSchedule, nextDigestAt } from "../../domain/digest-rhythm.ts";
import { AppError } from "../../domain/error.ts";
import { type HttpRequest, sendsToken } from "../../domain/http-request.ts";
import {
  findChannelFault,
  parseReviewFilter,
  type ReviewFilter,
} from "../../domain/review-filter.ts";
import { failField, notFound, parseInput } from "../../domain/validation-errors.ts";
import type { Clock } from "../../lib/clock.ts";
import { pick } from "../../lib/pick.ts";
import type { SecretBox } from "../../lib/secret-box.ts";
import { uuidV7 } from "../../lib/uuid.ts";
import type { ProviderConfig } from "../analysis/providers.ts";
import { type ActDeps, recordAudit } from "../audit.ts";
import { assertBelowLimit, type LimitedDeps } from "../members/workspace-limits.ts";
import { requireWorkspace } from "../members/workspaces.ts";
import { generateSigningSecret } from "./channel-secret.ts";
import { requireChannel } from "./channels.ts";
import { type CheckUrl, parseDestinationFields } from "./parse-destination.ts";

export type SaveChannelDeps = LimitedDeps &
  ActDeps<"findApp" | "findChannel" | "findWorkspace" | "listOwnTopics" | "listSavedViews"> & {
    secretBox: Pick<SecretBox, "seal">;
    checkUrl: CheckUrl;
    /** The settings of translation; without it there are no warnings. */
    providers?: readonly ProviderConfig[];
  };

/** `channelDefaults` for what is left out. */
type NewChannel = Partial<ChannelInput> & { workspaceId: string; name: string };

/**
 * The secret is what a webhook's deliveries are signed with; other types have none that people need.
 *
 * @throws AppError `invalid_input`, or `not_found` for the workspace or one of the apps, `conflict` for one too many
 */
export async function createChannel(
  deps: SaveChannelDeps,
  input: NewChannel,
  signingSecret = generateSigningSecret(),
): Promise<{ channel: ListedChannel; secret: string | null; warning: string | null }> {
  const { id: workspaceId } = await requireWorkspace(deps.database, { id: input.workspaceId });
  const chosen = { ...channelDefaults, ...input };
  const parsed = await parseChannel(deps, { input: chosen, workspaceId, before: null });
  const { destination: fields, filters, ...settings } = parsed;
  const { type = "webhook" } = input;
  const { secret: entered, ...destination } = toDestination(type, fields, null);
  const createdAt = deps.clock.now();
  const channel = {
    id: uuidV7(createdAt),
    workspaceId,
    type,
    ...filters,
    ...settings,
    ...destination,
    createdAt,
    isPaused: false,
    failingSince: null,
    failingReason: null,
    digestDueAt: nextDigestAt(filters, createdAt),
    digestedTo: null,
  };
  const secret = entered ?? signingSecret;
  const encryptedSecret = deps.secretBox.seal(secret, channel.id);
  await deps.database.transaction(async (tx) => {
    await assertBelowLimit(deps, tx, { workspaceId, kind: "channels" });
    await tx.insertChannel({ ...channel, encryptedSecret });
    const detail = { name: channel.name, url: describeDestination(channel) };
    await recordAudit(deps, tx, "channel.created", channel, detail);
  });
  const isShown = channel.type === "webhook";
  return { channel, secret: isShown ? secret : null, warning: warningOf(deps, channel) };
}

/**
 * A webhook, with the secret that signs its deliveries.
 *
 * @throws AppError as createChannel
 */
export async function createWebhook(
  deps: SaveChannelDeps,
  input: NewChannel,
  signingSecret = generateSigningSecret(),
): Promise<{ channel: ListedChannel; secret: string; warning: string | null }> {
  const webhook = { ...input, type: "webhook" as const };
  const { secret, ...created } = await createChannel(deps, webhook, signingSecret);
  if (secret === null) throw new Error("a webhook was created without a secret");
  return { ...created, secret };
}

/**
 * Changes the named fields only; pending deliveries that no longer match are cancelled.
 *
 * @throws AppError `invalid_input`, or `not_found` for the channel or one of the apps
 */
export async function updateChannel(
  deps: SaveChannelDeps,
  update: { id: string; workspaceId: string | null; change: Partial<ChannelInput> },
): Promise<{ channel: ListedChannel; cancelledCount: number; warning: string | null }> {
  const changed = Object.keys(update.change);
  if (changed.length === 0) failField("id", "nothing to change was named");
  const before = await requireChannel(deps.database, update);
  const { workspaceId } = before;
  const input = { name: before.name, ...pick(before, settingNames), ...update.change };
  const parsed = await parseChannel(deps, { input, workspaceId, before });
  const { channel, cancelledCount } = await deps.database.transaction(async (tx) => {
    // Replaces only the named fields: another edit may have committed since `before` was read.
    const current = await tx.lockChannel(before.id);
    if (!current) throw notFound("channel", before.id);
    const { url, recipients, secret } = toDestination(current.type, parsed.destination, current);
    const named = pick(parsed.filters, changed);
    const { isPaused = current.isPaused } = update.change;
    const { query } = parsed;
    const request = update.change.request ? parsed.request : current.request;
    const saved = { ...current, ...named, query, request, url, recipients, isPaused };
    const channel = { ...saved, ...digestAfterChange(deps.clock, current, saved) };
    await tx.updateChannel(channel);
    if (secret !== null) {
      const encryptedSecret = deps.secretBox.seal(secret, channel.id);
      await tx.setChannelSecret({ id: channel.id, encryptedSecret, oldEndsAt: null });
    }
    await recordAudit(deps, tx, "channel.updated", channel, { changed });
    const now = deps.clock.now();
    return { channel, cancelledCount: await tx.cancelDeliveries({ channelId: channel.id, now }) };
  });
  return { channel, cancelledCount, warning: warningOf(deps, channel) };
}

/** A change of anything else moves no digest. At another time they go on with the day after the last one, after a pause afresh. */
function digestAfterChange(
  clock: Clock,
  before: Channel,
  after: Channel,
): Pick<Channel, "digestDueAt" | "digestedTo"> {
  const { digestDueAt, digestedTo, isPaused } = before;
  const isSame =
    before.digest === after.digest &&
    before.digestAt === after.digestAt &&
    before.timeZone === after.timeZone &&
    isPaused === after.isPaused;
  if (isSame) return { digestDueAt, digestedTo };
  const goesOn = isPaused === after.isPaused && after.digest !== null;
  return {
    digestDueAt: nextDigestAt(after, clock.now()),
    digestedTo: goesOn ? digestedTo : null,
  };
}

function warningOf({ providers }: Pick<SaveChannelDeps, "providers">, channel: Channel) {
  const translating = providers?.find(({ kind }) => kind === "translate");
  return describeChannelWarnings(channel, { isTranslating: translating?.isEnabled ?? true });
}

const settingNames = Object.keys(channelDefaults);
const wholeInputSchema = channelInputSchema.required({
  digest: true,
  digestAt: true,
  timeZone: true,
});

type Parsed = {
  filters: ChannelFilters & DigestSchedule & Pick<Channel, "filter" | "view" | "name">;
  query: string | null;
  request: HttpRequest | null;
  destination: DestinationFields;
};

async function parseChannel(
  deps: Pick<SaveChannelDeps, "database" | "checkUrl">,
  save: { input: object; workspaceId: string; before: Channel | null },
): Promise<Parsed> {
  const { before } = save;
  const parsed = parseInput(wholeInputSchema, save.input);
  const { type, url, headers, token, chat, to, isPaused: _, ...entered } = parsed;
  const { request = before?.request ?? null, ...filters } = entered;
  if (before && type !== undefined && type !== before.type)
    failField("type", `stays ${before.type}: create another channel`);
  const chosen = {
    type: before?.type ?? type ?? "webhook",
    input: { url, headers, token, chat, to },
  };
  const { workspaceId } = save;
  await assertTopicsExist(deps.database, { workspaceId, topics: filters.topics });
  const { query, ...filter } = await parseFilter(deps.database, { ...filters, workspaceId });
  if (chosen.type === "http" && request === null)
    failField("request", "is required: what is sent, or a preset");
  if (chosen.type !== "http" && request !== null)
    failField("request", `a channel of the type ${chosen.type} has none`);
  const destination = await parseDestinationFields(deps, { ...chosen, before });
  // Else everyone who may change the channel could read the token where the service shows it.
  if (
    request &&
    before?.request &&
    destination.url === undefined &&
    showsMore(before.request, request)
  )
    failField("url", "must be entered again with the token: the request would show it");
  // An app that was removed since may stay in the list: it matches nothing.
  for (const id of filters.apps ?? []) {
    if (before?.apps?.includes(id)) continue;
    if (await deps.database.findApp({ id, workspaceId })) continue;
    const message = `the workspace has no app ${id}`;
    throw new AppError("not_found", message, { fields: [{ field: "apps", message }] });
  }
  if (filters.digest && chosen.type === "webhook") {
    failField("digest", "a webhook sends each event; channels of other types have digests");
  }
  return { filters: { ...filters, ...filter }, query, request, destination };
}

/** Whether a changed request sends the token, or shows other places of an answer, which may repeat it. */
function showsMore(before: HttpRequest, after: HttpRequest): boolean {
  if (after.errorAt !== before.errorAt || after.idAt !== before.idAt) return true;
  return sendsToken(after) && JSON.stringify(after) !== JSON.stringify(before);
}

type ChosenFilter = Pick<ChannelFilters, "apps" | "stars" | "topics" | "filter" | "view">;

/**
 * The further filters as they are saved, and as they apply now.
 *
 * @throws AppError `invalid_input` for filters that a channel can't have, or a view that does not exist
 */
export async function parseFilter(
  database: Pick<Database, "listSavedViews" | "listOwnTopics">,
  chosen: ChosenFilter & { workspaceId: string },
): Promise<Pick<Channel, "filter" | "view" | "query">> {
  const { workspaceId, apps, stars, topics, view: named = null } = chosen;
  const own = chosen.filter?.trim() || null;
  if (named !== null) {
    const views = await database.listSavedViews(workspaceId);
    const view = views.find(({ id, name }) => id === named || name === named);
    if (!view) return failField("view", "the workspace has no such view");
    if ([own, apps, stars, topics].some((filter) => filter !== null))
      failField("view", "has its own filters: apps, stars, topics and filter must be left out");
    const { topic } = assertChannelCanHave("view", view.query);
    if (topic !== undefined) await assertTopicsExist(database, { workspaceId, topics: [topic] });
    return { filter: null, view: view.id, query: view.query };
  }
  if (own === null) return { filter: null, view: null, query: null };
  const { app, rating, topic } = assertChannelCanHave("filter", own);
  if (app ?? rating ?? topic)
    failField("filter", "app, rating and topic are fields of the channel: apps, stars, topics");
  return { filter: own, view: null, query: own };
}

/** @throws AppError `invalid_input` */
export function assertChannelCanHave(field: string, query: string): ReviewFilter {
  const parsed = parseReviewFilter(query);
  if (!parsed.ok) return failField(field, parsed.fault);
  const fault = findChannelFault(parsed.filter);
  return fault === null ? parsed.filter : failField(field, fault);
}

/**
 * @param filter.topics null for all
 * @throws AppError `invalid_input` for a topic that the workspace does not have
 */
export async function assertTopicsExist(
  database: Pick<Database, "listOwnTopics">,
  filter: { workspaceId: string; topics: readonly string[] | null },
): Promise<void> {
  if (filter.topics === null) return;
  const own = await database.listOwnTopics(filter);
  const ownNames = own.map(({ name }) => name);
  const unknown = findUnknownTopic(filter.topics, ownNames);
  if (unknown !== null) failField("topics", unknown);
}
