// HTTP channels: a request made of the event by the user's template. Once the service has returned an id for a review,
// later events of the review go to what it created.
import { createHash } from "node:crypto";
import type { DatabaseTransaction } from "../../../database/database.ts";
import { parseHttpSecret } from "../../../domain/channel/channel-destination.ts";
import type { ChannelEvent } from "../../../domain/channel/channel-event.ts";
import type { EndpointFacts } from "../../../domain/channel/delivery.ts";
import {
  type HttpRequest,
  type TemplateField,
  templateFields,
} from "../../../domain/channel/http-request.ts";
import { hideSecrets } from "../../../lib/hide-secrets.ts";
import { parseJson, valueAt } from "../../../lib/json.ts";
import {
  type Rendered,
  renderJsonTemplate,
  type TemplateValues,
} from "../../../lib/json-template.ts";
import { parseRetryAfter } from "../../../lib/retry-after.ts";
import { hourMs, secondMs } from "../../../lib/timestamp.ts";
import {
  type Answered,
  judgeByStatus,
  judged,
  type ResolvedEndpoint,
  retry,
  type SendOutcome,
  type Sent,
  unsent,
  unusableEndpoint,
  withoutSecrets,
} from "../../send/endpoint.ts";
import { type ChatDeps, openSecret, readEvent, unreadable } from "../chat-service.ts";
import { composeMessage } from "../message/compose-message.ts";
import { cutBytes, cutText } from "../message/cut-text.ts";

export type HttpDeps = ChatDeps & {
  queue: Pick<DatabaseTransaction, "findExternalId" | "saveExternalId">;
};

/** Services ask for about one creating request a second, and an edit must not overtake its review. */
const intervalMs = secondMs;
const textMax = 10_000;
/** Where the id is, in answers of services that return all of what they created. */
const answerBytesMax = 65_536;
const loggedBytesMax = 1_024;
/** Until a creation without an answer is repeated: what it may have created would exist twice. */
const uncertainWaitMs = 6 * hourMs;
const gatewayTimeout = 504;

export function resolveHttp(
  deps: HttpDeps,
  facts: EndpointFacts & { channelId: string },
): ResolvedEndpoint {
  const { url, host, channelId, request } = facts;
  const opened = openSecret(deps.secrets, facts);
  if (opened.kind === "sealed") return unusableEndpoint(facts, opened.reason);
  if (request === null) return unusableEndpoint(facts, "the channel has no request");
  const secret = parseHttpSecret(opened.secret);
  return {
    url,
    host,
    isDroppedBy410: false,
    pace: { key: channelId, intervalMs },
    async send({ delivery, now, isFresh, isRepeat }): Promise<Sent> {
      const event = readEvent(delivery.body);
      if (event === null) return unsent(unreadable);
      const isOfReview = "review" in event && !delivery.isTest;
      const destination = destinationOf(request, secret.url);
      const key = isOfReview ? { channelId, reviewId: event.review.id, destination } : null;
      const id = key && request.update ? await deps.queue.findExternalId(key) : null;
      const { token } = secret;
      const { publicUrl } = deps;
      const made = { publicUrl, id, token, delivery: delivery.id };
      const values = toTemplateValues(event, made, request);
      const composed = composeRequest(request, { url: secret.url, id, values });
      if (!composed.body.ok) {
        const reason = `the template ${composed.body.fault}`;
        return unsent({ kind: "unreachable", reason });
      }
      const answered = await deps.sender.post({
        target: deps.sender.check(composed.url),
        method: composed.method,
        headers: [
          ...secret.headers.map((text) => text.replaceAll("{{delivery}}", delivery.id)),
          ...["User-Agent", `Starpost/${deps.version}`],
        ],
        body: Buffer.from(JSON.stringify(composed.body.value)),
        isFresh,
        isRepeat,
        answerBytesKept: answerBytesMax,
        isCreation: id === null,
      });
      if (answered.kind === "stale") return answered;
      const secrets = listSecrets(secret);
      const answer = parseJson(answered.answer?.toString("utf8") ?? "");
      const judgement = judge(request, { posted: answered, answer, now });
      const isUncertain = answered.isUncertain === true || answered.status === gatewayTimeout;
      const outcome = id === null && isUncertain ? waitLong(judgement) : judgement;
      const found = request.idAt === undefined ? null : readId(answer, request.idAt);
      const created = found === null || hideSecrets(found, secrets) !== found ? null : found;
      // A process that dies before this creates it again: at least once, as everything else.
      if (outcome.kind === "delivered" && key && id === null && created !== null)
        await deps.queue.saveExternalId({ ...key, externalId: created });
      const shown = answered.answer?.subarray(0, loggedBytesMax) ?? null;
      return withoutSecrets(judged({ ...answered, answer: shown }, outcome), secrets);
    },
  };
}

/** Where ids are valid: two repositories or projects have issues with the same numbers. */
function destinationOf({ idAt, update }: HttpRequest, url: string): string {
  const where = JSON.stringify([url, idAt, update?.path]);
  return createHash("sha256").update(where).digest("base64url");
}

function waitLong(outcome: SendOutcome): SendOutcome {
  return outcome.kind === "retry" ? { ...outcome, retryAfterMs: uncertainWaitMs } : outcome;
}

/** The request for an event: the first of a review, or with an id the one that updates what was created. */
export function composeRequest(
  request: HttpRequest,
  { url, id, values }: { url: string; id: string | null; values: TemplateValues },
): { method: string; url: string; body: Rendered } {
  const { update } = request;
  if (id === null || !update) {
    return { method: request.method, url, body: renderJsonTemplate(request.body, values) };
  }
  const target = new URL(url);
  const path = update.path.replaceAll("{{id}}", encodeURIComponent(id));
  target.pathname = `${target.pathname.replace(/\/$/, "")}${path}`;
  return { method: update.method, url: target.href, body: renderJsonTemplate(update.body, values) };
}

/** A request as it would be sent, for people to look at; null for an event that this version can't read. */
export function previewHttpRequest(
  request: HttpRequest,
  { event, publicUrl, id }: { event: Buffer; publicUrl: string | null; id: string | null },
): { method: string; path: string; body: Rendered } | null {
  const document = readEvent(event);
  if (document === null) return null;
  const made = { publicUrl, id, token: "…", delivery: "…" };
  const values = toTemplateValues(document, made, request);
  const { url, ...composed } = composeRequest(request, { url: "http://service/", id, values });
  return { ...composed, path: new URL(url).pathname };
}

/** Services refuse a text that is too long for good, so it is cut before. */
export function toTemplateValues(
  event: ChannelEvent,
  made: { publicUrl: string | null; id: string | null; token: string; delivery: string },
  limits: Pick<HttpRequest, "headingMax" | "textBytesMax"> = {},
): TemplateValues {
  const { headingMax = Number.POSITIVE_INFINITY, textBytesMax = Number.POSITIVE_INFINITY } = limits;
  const { publicUrl, id, token, delivery } = made;
  const message = composeMessage(event, { publicUrl, textMax });
  const text = message.blocks.map((block) => block.text).join("\n\n");
  const own = {
    event: event.event,
    heading: cutText(message.heading, headingMax),
    message: cutBytes(text, textBytesMax),
    block: fence(text, textBytesMax),
    link: message.links[0]?.url ?? "",
    id: id ?? "",
    ...{ token, delivery },
  };
  const readField = (field: TemplateField): string =>
    Object.hasOwn(own, field)
      ? own[field as keyof typeof own]
      : cutBytes(String(valueAt(event, ...field.split(".")) ?? "").slice(0, textMax), textBytesMax);
  return Object.fromEntries(templateFields.map((field) => [field, readField(field)]));
}

/** A code block of Markdown, whose fence is longer than any in the text: nothing in it is a mention, a link or an image. */
function fence(text: string, bytesMax: number): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([marks]) => marks.length));
  const marks = "`".repeat(longest + 1);
  return `${marks}\n${cutBytes(text, bytesMax - 2 * marks.length - 2)}\n${marks}`;
}

function judge(
  request: HttpRequest,
  { posted, answer, now }: { posted: Answered; answer: unknown; now: Date },
): SendOutcome {
  const { status, reason } = posted;
  const { done = [], gone = [], errorAt } = request;
  if (status !== null && done.includes(status)) return { kind: "delivered" };
  const error = errorAt === undefined ? null : valueAt(answer, ...toPath(errorAt));
  if (error !== null) {
    const shown = JSON.stringify(error).slice(0, 200);
    const retryAfterMs = parseRetryAfter(posted.retryAfter, now);
    const isThrottled = retryAfterMs !== null;
    return { ...retry(`the answer has an error: ${shown}`), retryAfterMs, isThrottled };
  }
  if (status !== null && reason !== null && gone.includes(status))
    return { kind: "unreachable", reason };
  const outcome = judgeByStatus(posted, now);
  // Some services refuse what is too fast with 403, and GraphQL's with 400.
  const isTooFast =
    outcome.kind === "retry" && (status === 403 || status === 400) && outcome.retryAfterMs !== null;
  return isTooFast ? { ...outcome, isThrottled: true } : outcome;
}

/** null unless it is a short name or number, which can stand in a path. */
function readId(answer: unknown, pointer: string): string | null {
  const id = valueAt(answer, ...toPath(pointer));
  const text = typeof id === "number" || typeof id === "string" ? String(id) : "";
  return /^[\w-]{1,200}$/.test(text) ? text : null;
}

function toPath(pointer: string): (string | number)[] {
  return pointer.slice(1).split("/");
}

function listSecrets({ url, token, headers }: ReturnType<typeof parseHttpSecret>): string[] {
  return [url, token, ...headers.filter((_, index) => index % 2 === 1)];
}
