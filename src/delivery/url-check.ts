// Whether a channel may have a URL: asked when the channel is made, and again before every attempt,
// because the rules can have become stricter since.
import { isIP } from "node:net";
import { channelLimits } from "../domain/channel.ts";
import { type AddressPolicy, openAddressPolicy } from "./address-policy.ts";
import type { HostNames } from "./host-names.ts";

export type UrlPolicy = { allowHttp: boolean; addresses: AddressPolicy };

export type UrlCheck = { kind: "ok"; url: URL } | { kind: "refused"; reason: string };

export function openUrlPolicy(settings: {
  allowHttp: boolean;
  allowedCidrs: readonly string[];
}): UrlPolicy {
  return {
    allowHttp: settings.allowHttp,
    addresses: openAddressPolicy(settings.allowedCidrs),
  };
}

/** Everything that the URL itself tells: no name is resolved. */
export function checkWebhookUrl(text: string, policy: UrlPolicy): UrlCheck {
  if (text.length > channelLimits.urlMax)
    return refused(`the URL is longer than ${channelLimits.urlMax} characters`);
  if (!URL.canParse(text)) return refused("this is not a URL");
  const url = new URL(text);
  if (url.protocol !== "https:" && url.protocol !== "http:")
    return refused("the URL must begin with https://");
  if (url.protocol === "http:" && !policy.allowHttp)
    return refused("the URL must begin with https://; WEBHOOK_ALLOW_HTTP can allow http://");
  if (url.username !== "" || url.password !== "")
    return refused("the URL must not hold a user name or password");
  const host = hostOf(url);
  const reason = isIP(host) === 0 ? null : policy.addresses.refuse(host);
  return reason === null ? { kind: "ok", url } : refused(reason);
}

/**
 * The same, and the addresses behind the name. A name that can't be resolved right now is not
 * refused: its deliveries say so.
 */
export async function checkWebhookTarget(
  text: string,
  { policy, names }: { policy: UrlPolicy; names: HostNames },
): Promise<UrlCheck> {
  const checked = checkWebhookUrl(text, policy);
  if (checked.kind === "refused" || isIP(hostOf(checked.url)) !== 0) return checked;
  const found = await names.resolve(hostOf(checked.url));
  return found.kind === "refused" ? found : checked;
}

/** Without the brackets of a v6 address. */
function hostOf(url: URL): string {
  return url.hostname.replace(/^\[|\]$/g, "");
}

function refused(reason: string): UrlCheck {
  return { kind: "refused", reason };
}
