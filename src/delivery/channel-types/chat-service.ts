// The differences between chat services, and the endpoint that all of them share: an event becomes a
// message, the message a JSON request, and the answer an outcome.
import { type ChannelEvent, channelEventSchema } from "../../domain/channel/channel-event.ts";
import type { EndpointFacts } from "../../domain/channel/delivery.ts";
import { SecretBoxError } from "../../lib/secret-box.ts";
import { isAmongHosts } from "../../lib/urls.ts";
import {
  type Answered,
  judgeByStatus,
  judged,
  type ResolvedEndpoint,
  type SendOutcome,
  type Sent,
  unsent,
  unusableEndpoint,
  withoutSecrets,
} from "../send/endpoint.ts";
import type { Sender } from "../send/send.ts";
import type { Secrets } from "../send/signature.ts";
import { composeMessage } from "./message/compose-message.ts";
import type { Message } from "./message/message.ts";

export type ChatService = {
  /** As people know it. */
  name: string;
  /** The only hosts that its URLs may name; one that begins with a dot matches all its subdomains. */
  hosts: readonly string[];
  /** How much of a review is shown. */
  textMax: number;
  /** Between two messages to one destination. */
  intervalMs(destination: ChatDestination): number;
  /** Where a message is posted. */
  requestUrl(destination: ChatDestination): string;
  composeRequest(message: Message, destination: ChatDestination): unknown;
  /** Reads an answer other than 2xx, of which there is the first 1 KB. */
  readFailure(answer: { status: number | null; text: string }): ServiceFailure;
};

/** All of it as far as the service says it. */
type ServiceFailure = {
  /** Why no retry can help until a person changes something, in a sentence. */
  unreachable?: string | undefined;
  detail?: string | undefined;
  retryAfterMs?: number | undefined;
};

export type ChatDestination = {
  /** The URL, or the token. */
  secret: string;
  recipients: readonly string[];
  /** Where Telegram's API is. */
  telegramBaseUrl: string;
};

export type ChatDeps = {
  secrets: Secrets;
  sender: Pick<Sender, "check" | "post">;
  version: string;
  publicUrl: string | null;
  telegramBaseUrl: string;
  /** Hosts that the operator allows beside the services' own. */
  moreHosts: readonly string[];
};

export function resolveChat(
  deps: ChatDeps,
  service: ChatService,
  facts: EndpointFacts & { channelId: string },
): ResolvedEndpoint {
  const { url, host, recipients } = facts;
  const opened = openSecret(deps.secrets, facts);
  if (opened.kind === "sealed") return unusableEndpoint(facts, opened.reason);
  const { telegramBaseUrl } = deps;
  const destination = { secret: opened.secret, recipients, telegramBaseUrl };
  const requestUrl = service.requestUrl(destination);
  const target = checkHost(deps, { service, url: requestUrl });
  const key = `${requestUrl} ${recipients.join(",")}`;
  return {
    url,
    host,
    isDroppedBy410: false,
    pace: { key, intervalMs: service.intervalMs(destination) },
    async send({ delivery, now, isFresh, isRepeat }): Promise<Sent> {
      const event = readEvent(delivery.body);
      if (event === null) return unsent(unreadable);
      const { publicUrl, version } = deps;
      const message = composeMessage(event, { publicUrl, textMax: service.textMax });
      const body = Buffer.from(JSON.stringify(service.composeRequest(message, destination)));
      const headers = ["Content-Type", "application/json", "User-Agent", `Starpost/${version}`];
      const posted = await deps.sender.post({ target, headers, body, isFresh, isRepeat });
      if (posted.kind === "stale") return posted;
      const text = posted.answer?.toString("utf8") ?? "";
      const outcome = judge(service, { outcome: judgeByStatus(posted, now), posted, text });
      return withoutSecrets(judged(posted, outcome), [requestUrl, destination.secret]);
    },
  };
}

function judge(
  service: ChatService,
  { outcome, posted, text }: { outcome: SendOutcome; posted: Answered; text: string },
): SendOutcome {
  if (outcome.kind !== "retry") return outcome;
  const failure = service.readFailure({ status: posted.status, text });
  if (failure.unreachable !== undefined)
    return { kind: "unreachable", reason: failure.unreachable };
  const { detail = "", retryAfterMs = outcome.retryAfterMs } = failure;
  const reason = detail === "" ? outcome.reason : `${outcome.reason}: ${detail}`;
  return { ...outcome, retryAfterMs, reason };
}

/** Why an error code means that no retry can help; undefined for other codes. */
export function explainCode(
  service: string,
  codes: Readonly<Record<string, string>>,
  code: string | number = "",
): string | undefined {
  const why = codes[code];
  return why && `${service} says ${why} (${typeof code === "number" ? "code " : ""}${code})`;
}

export const unreadable = {
  kind: "unreachable",
  reason: "the stored event can't be read by this version of Starpost",
} as const;

/** null when it is none that this version knows. */
export function readEvent(body: Buffer): ChannelEvent | null {
  const parsed = channelEventSchema.safeParse(JSON.parse(body.toString("utf8")));
  return parsed.success ? parsed.data : null;
}

type CheckDeps = Pick<ChatDeps, "moreHosts"> & { sender: Pick<Sender, "check"> };

/** The URL's own rules, and that it leads to the service and nowhere else. */
export function checkHost(
  deps: CheckDeps,
  { service, url }: { service: ChatService; url: string },
): ReturnType<Sender["check"]> {
  const checked = deps.sender.check(url);
  if (checked.kind === "refused") return checked;
  const { hostname, port } = checked.url;
  // A port of the operator's own host is the operator's to choose.
  if (
    (isAmongHosts(hostname, service.hosts) && port === "") ||
    isAmongHosts(hostname, deps.moreHosts)
  )
    return checked;
  const known = service.hosts.map((name) => (name.startsWith(".") ? `*${name}` : name)).join(", ");
  const reason = `${hostname} isn't a host of ${service.name} (${known}); CHANNEL_HOSTS can allow it`;
  return { kind: "refused", reason };
}

type Opened = { kind: "open"; secret: string } | { kind: "sealed"; reason: string };

/** @throws errors that don't concern keys */
export function openSecret(
  secrets: Secrets,
  { channelId, encryptedSecret }: { channelId: string; encryptedSecret: Buffer },
): Opened {
  try {
    return { kind: "open", secret: secrets.open(encryptedSecret, channelId) };
  } catch (error) {
    if (!(error instanceof SecretBoxError)) throw error;
    return { kind: "sealed", reason: `where it goes can't be opened: ${error.message}` };
  }
}
