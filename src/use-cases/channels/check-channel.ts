// Checks the settings of a channel in the transaction that saves them: its topics, apps, view and filters exist and go
// together.
import type { DatabaseTransaction } from "../../database/database.ts";
import {
  type Channel,
  type ChannelFilters,
  findUnknownTopic,
} from "../../domain/channel/channel.ts";
import type { DestinationFields } from "../../domain/channel/channel-destination.ts";
import type { ChannelType } from "../../domain/channel/channel-types.ts";
import { type HttpRequest, sendsToken } from "../../domain/channel/http-request.ts";
import { AppError } from "../../domain/error.ts";
import {
  findChannelFault,
  parseReviewFilter,
  type ReviewFilter,
} from "../../domain/review/review-filter.ts";
import { failField } from "../../domain/validation-errors.ts";
import { isSameValue } from "../../lib/same-value.ts";

/** The settings as they would be saved. */
export type ChannelSettings = ChannelFilters &
  Pick<Channel, "filter" | "view" | "digest"> & {
    type: ChannelType;
    request: HttpRequest | null;
    destination: DestinationFields;
  };

/**
 * The further filters as they are saved, and as they apply now.
 *
 * @throws AppError `invalid_input`, or `not_found` for an app that the workspace does not have
 */
export async function checkChannel(
  tx: DatabaseTransaction,
  {
    settings,
    before,
    workspaceId,
  }: {
    settings: ChannelSettings;
    before: Channel | null;
    workspaceId: string;
  },
): Promise<Pick<Channel, "filter" | "view" | "query">> {
  const { type, apps, request, destination } = settings;
  await assertTopicsExist(tx, { workspaceId, topics: settings.topics });
  const filter = await parseFilter(tx, { ...settings, workspaceId });
  if (type === "http" && request === null)
    failField("request", "is required: what is sent, or a preset");
  if (type !== "http" && request !== null)
    failField("request", `a channel of the type ${type} has none`);
  // Else everyone who may change the channel could read the token where the service shows it.
  const isShown = request && before?.request && showsMore(before.request, request);
  if (isShown && destination.url === undefined)
    failField("url", "must be entered again with the token: the request would show it");
  if (settings.digest && type === "webhook")
    failField("digest", "a webhook sends each event; channels of other types have digests");
  // An app that was removed since may stay in the list: it matches nothing.
  const added = (apps ?? []).filter((id) => !before?.apps?.includes(id));
  const known = added.length > 0 ? await tx.listApps({ workspaceId }) : [];
  const missing = added.find((id) => !known.some((app) => app.id === id));
  if (missing === undefined) return filter;
  const message = `the workspace has no app ${missing}`;
  throw new AppError("not_found", message, { fields: [{ field: "apps", message }] });
}

/** Whether a changed request sends the token, or shows other places of an answer, which may repeat it. */
function showsMore(before: HttpRequest, after: HttpRequest): boolean {
  if (after.errorAt !== before.errorAt || after.idAt !== before.idAt) return true;
  return sendsToken(after) && !isSameValue(after, before);
}

type ChosenFilter = Pick<ChannelFilters, "apps" | "stars" | "topics" | "filter" | "view">;

/**
 * The further filters as they are saved, and as they apply now.
 *
 * @throws AppError `invalid_input` for filters that a channel can't have, or a view that does not exist
 */
export async function parseFilter(
  database: Pick<DatabaseTransaction, "listSavedViews" | "listOwnTopicNames">,
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
  if (app) failField("filter", "app is a field of the channel: apps");
  if (rating && stars)
    failField("filter", "has a rating, and the channel has stars: leave one out");
  if (topic && topics)
    failField("filter", "has a topic, and the channel has topics: leave one out");
  if (topic !== undefined) await assertTopicsExist(database, { workspaceId, topics: [topic] });
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
  database: Pick<DatabaseTransaction, "listOwnTopicNames">,
  filter: { workspaceId: string; topics: readonly string[] | null },
): Promise<void> {
  if (filter.topics === null) return;
  const ownNames = await database.listOwnTopicNames(filter);
  const unknown = findUnknownTopic(filter.topics, ownNames);
  if (unknown !== null) failField("topics", unknown);
}
