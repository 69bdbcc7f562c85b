// The types of channels by name: the one place that knows them all.
import type { ChannelType } from "../../domain/channel-destination.ts";
import type { EndpointFacts } from "../../domain/delivery.ts";
import type { ResolvedEndpoint } from "../send/endpoint.ts";
import { type ChatDeps, type ChatService, resolveChat } from "./chat-service.ts";
import { discord } from "./discord/discord.ts";
import { type EmailDeps, resolveEmail } from "./email/email.ts";
import { createMailPace } from "./email/mail-pace.ts";
import { type HttpDeps, resolveHttp } from "./http/http.ts";
import { slack } from "./slack/slack.ts";
import { teams } from "./teams/teams.ts";
import { telegram } from "./telegram/telegram.ts";
import { resolveWebhook } from "./webhook/webhook.ts";

const chatServices = { slack, discord, teams, telegram } as const satisfies Partial<
  Record<ChannelType, ChatService>
>;

export type ResolveEndpoint = (facts: EndpointFacts & { channelId: string }) => ResolvedEndpoint;

export function createEndpointResolver(
  deps: ChatDeps & HttpDeps & Omit<EmailDeps, "pace">,
): ResolveEndpoint {
  const pace = createMailPace();
  return (facts) => {
    switch (facts.type) {
      case "webhook":
        return resolveWebhook(deps, facts);
      case "slack":
      case "discord":
      case "teams":
      case "telegram":
        return resolveChat(deps, chatServices[facts.type], facts);
      case "http":
        return resolveHttp(deps, facts);
      case "email":
        return resolveEmail({ ...deps, pace }, facts);
    }
  };
}

/** null for types that are none. */
export function findChatService(type: ChannelType): ChatService | null {
  return type in chatServices ? chatServices[type as keyof typeof chatServices] : null;
}
