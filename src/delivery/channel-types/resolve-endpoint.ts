// The types of channels by name: the one place that knows them all.
import type { ChannelType } from "../../domain/channel/channel-types.ts";
import type { EndpointFacts } from "../../domain/channel/delivery.ts";
import type { Log } from "../../lib/log.ts";
import { type ResolvedEndpoint, unusableEndpoint } from "../send/endpoint.ts";
import { type ChatDeps, type ChatService, resolveChat } from "./chat-service.ts";
import { discord } from "./discord/discord.ts";
import { type EmailDeps, resolveEmail } from "./email/email.ts";
import { createMailPace } from "./email/mail-pace.ts";
import { type HttpDeps, resolveHttp } from "./http/http.ts";
import { slack } from "./slack/slack.ts";
import { teams } from "./teams/teams.ts";
import { telegram } from "./telegram/telegram.ts";
import { resolveWebhook } from "./webhook/webhook.ts";

type ChatType = Exclude<ChannelType, "webhook" | "http" | "email">;
const chatServices: Record<ChatType, ChatService> = { slack, discord, teams, telegram };

export type ResolveEndpoint = (facts: EndpointFacts & { channelId: string }) => ResolvedEndpoint;

type EndpointDeps = ChatDeps & HttpDeps & Omit<EmailDeps, "pace">;

export function createEndpointResolver(deps: EndpointDeps & { log: Log }): ResolveEndpoint {
  const pace = createMailPace();
  return (facts) => {
    try {
      return resolveType({ ...deps, pace }, facts);
    } catch (error) {
      // One channel that can't be used must not stop the others.
      const { channelId } = facts;
      deps.log.error({ reason: String(error), channelId }, "a channel can't be read");
      return unusableEndpoint(facts, "Starpost can't read this channel; its log has the error");
    }
  };
}

function resolveType(
  deps: EndpointDeps & EmailDeps,
  facts: EndpointFacts & { channelId: string },
): ResolvedEndpoint {
  switch (facts.type) {
    case "webhook":
      return resolveWebhook(deps, facts);
    case "http":
      return resolveHttp(deps, facts);
    case "email":
      return resolveEmail(deps, facts);
    default:
      return resolveChat(deps, chatServices[facts.type], facts);
  }
}

/** null for types that are none. */
export function findChatService(type: ChannelType): ChatService | null {
  return type in chatServices ? chatServices[type as keyof typeof chatServices] : null;
}
