// Creates and changes channels. A change takes effect for everything that is not being sent yet.
import type { Database } from "../../database/database.ts";
import {
  type Channel,
  type ChannelFilters,
  type ChannelInput,
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
import { type DigestSchedule, digestDefaults, nextDigestAt } from "../../domain/digest-rhythm.ts";
import { AppError } from "../../domain/error.ts";
import { type HttpRequest, sendsToken } from "../../domain/http-request.ts";
import {
  findChannelFault,
  parseReviewFilter,
  type ReviewFilter,
} from "../../domain/review-filter.ts";
import { failField, notFound, parseInput } from "../../domain/validation-errors.ts";
import type { Clock } from "../../lib/clock.ts";
import type { SecretBox } from "../../lib/secret-box.ts";
import { uuidV7 } from "../../lib/uuid.ts";
import type { ProviderConfig } from "../analysis/providers.ts";
import { recordAudit } from "../audit.ts";
import { assertBelowLimit, type LimitedDeps } from "../members/workspace-limits.ts";
import { requireWorkspace } from "../members/workspaces.ts";
import { generateSigningSecret } from "./channel-secret.ts";
import { requireChannel } from "./channels.ts";
import { type CheckUrl, parseDestinationFields } from "./parse-destination.ts";

export type SaveChannelDeps = LimitedDeps & {
  database: Pick<
    Database,
    "findApp" | "findChannel" | "findWorkspace" | "listOwnTopics" | "listSavedViews" | "transaction"
  >;
  secretBox: Pick<SecretBox, "seal">;
  checkUrl: CheckUrl;
  /** The settings of translation; without it there are no warnings. */
  providers?: readonly ProviderConfig[];
  actor: string;
};

/**
 * The secret is what a webhook's deliveries are signed with; other types have none that people need.
 *
 * @throws AppError `invalid_input`, or `not_found` for the workspace or one of the apps, `conflict` for one too many
 */
export async function createChannel(
  deps: SaveChannelDeps,
  input: ChannelInput & { workspaceId: string },
  signingSecret = generateSigningSecret(),
): Promise<{ channel: ListedChannel; secret: string | null; warning: string | null }> {
  const { id: workspaceId } = await requireWorkspace(deps.database, { id: input.workspaceId });
  const parsed = await parseChannel(deps, { input, workspaceId, before: null });
  const { filters } = parsed;
  const type = input.type ?? "webhook";
  const destination = toDestination(type, parsed.destination, null);
  const createdAt = deps.clock.now();
  const channel = {
    id: uuidV7(createdAt),
    workspaceId,
    ...filters,
    type,
    url: destination.url,
    recipients: destination.recipients,
    request: parsed.request,
    query: parsed.query,
    createdAt,
    failingSince: null,
    failingReason: null,
    digestDueAt: nextDigestAt(filters, createdAt),
    isPaused: false,
  };
  const secret = destination.secret ?? signingSecret;
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
  input: ChannelInput & { workspaceId: string },
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
  const input = { ...toInput(before), ...update.change };
  const parsed = await parseChannel(deps, { input, workspaceId, before });
  const { channel, cancelledCount } = await deps.database.transaction(async (tx) => {
    // Replaces only the named fields: another edit may have committed since `before` was read.
    const current = await tx.lockChannel(before.id);
    if (!current) throw notFound("channel", before.id);
    const { url, recipients, secret } = toDestination(current.type, parsed.destination, current);
    const named = pickChanged(parsed.filters, update.change);
    const { isPaused = current.isPaused } = update.change;
    const { query } = parsed;
    const request = update.change.request ? parsed.request : current.request;
    const changed = { ...current, ...named, query, request, url, recipients, isPaused };
    const channel = { ...changed, digestDueAt: dueAfterChange(deps.clock, current, changed) };
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

/** A change of anything else moves no digest. */
function dueAfterChange(clock: Clock, before: Channel, after: Channel): Date | null {
  const isSame =
    before.digest === after.digest &&
    before.digestAt === after.digestAt &&
    before.timeZone === after.timeZone &&
    before.isPaused === after.isPaused;
  return isSame ? before.digestDueAt : nextDigestAt(after, clock.now());
}

function pickChanged<Fields extends object>(
  checked: Fields,
  change: Partial<ChannelInput>,
): Partial<Fields> {
  return Object.fromEntries(
    Object.entries(checked).filter(([key]) => key in change),
  ) as Partial<Fields>;
}

function warningOf({ providers }: Pick<SaveChannelDeps, "providers">, channel: Channel) {
  const translating = providers?.find(({ kind }) => kind === "translate");
  return describeChannelWarnings(channel, { isTranslating: translating?.isEnabled ?? true });
}

type Parsed = {
  filters: ChannelFilters & DigestSchedule & Pick<Channel, "filter" | "view"> & { name: string };
  query: string | null;
  request: HttpRequest | null;
  destination: DestinationFields;
};

async function parseChannel(
  deps: Pick<SaveChannelDeps, "database" | "checkUrl">,
  save: { input: ChannelInput; workspaceId: string; before: Channel | null },
): Promise<Parsed> {
  const { before } = save;
  const parsed = parseInput(channelInputSchema, save.input);
  const {
    type,
    url,
    headers,
    token,
    chat,
    request = before?.request ?? null,
    to,
    digest,
    digestAt,
    timeZone,
    isPaused: _,
    ...filters
  } = parsed;
  if (before && type !== undefined && type !== before.type)
    failField("type", `stays ${before.type}: create another channel`);
  const chosen = {
    type: before?.type ?? type ?? "webhook",
    input: { url, headers, token, chat, to },
  };
  await assertTopicsExist(deps.database, { workspaceId: save.workspaceId, topics: filters.topics });
  const chosenFilter = await parseFilter(deps.database, { ...filters, ...save });
  if (chosen.type === "http" && request === null)
    failField("request", "is required: what is sent, or a preset");
  if (chosen.type !== "http" && request !== null)
    failField("request", `a channel of the type ${chosen.type} has none`);
  const destination = await parseDestinationFields(deps, { ...chosen, before });
  // Else everyone who may change the channel could read the token where the service shows it.
  const isOther = JSON.stringify(request) !== JSON.stringify(before?.request);
  if (before && request && isOther && destination.url === undefined && sendsToken(request))
    failField("url", "must be entered again with the token: the request would show it");
  // An app that was removed since may stay in the list: it matches nothing.
  const known = new Set(before?.apps);
  for (const id of filters.apps ?? []) {
    if (known.has(id)) continue;
    const app = await deps.database.findApp({ id, workspaceId: save.workspaceId });
    if (!app) throw appNotFound(id);
  }
  if (digest && chosen.type === "webhook") {
    failField("digest", "a webhook sends each event; channels of other types have digests");
  }
  const schedule = {
    digest: digest ?? digestDefaults.digest,
    digestAt: digestAt ?? digestDefaults.digestAt,
    timeZone: timeZone ?? digestDefaults.timeZone,
  };
  const { query, ...saved } = chosenFilter;
  return { filters: { ...filters, ...saved, ...schedule }, query, request, destination };
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
    await assertTopicsExist(database, {
      workspaceId,
      topics: topic === undefined ? null : [topic],
    });
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
  const unknown = findUnknownTopic(
    filter.topics,
    own.map(({ name }) => name),
  );
  if (unknown !== null) failField("topics", unknown);
}

/** The public fields, as they would be entered. */
function toInput(channel: Channel): ChannelInput {
  const { name, events, apps, stars, topics, filter, view, translate } = channel;
  const { dropThreshold, periodDays, minSampleSize, digest, digestAt, timeZone } = channel;
  return {
    ...{ name, events, apps, stars, topics, filter, view, translate },
    ...{ dropThreshold, periodDays, minSampleSize, digest, digestAt, timeZone },
  };
}

function appNotFound(id: string): AppError {
  const message = `the workspace has no app ${id}`;
  return new AppError("not_found", message, { fields: [{ field: "apps", message }] });
}
