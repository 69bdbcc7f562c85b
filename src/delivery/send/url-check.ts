// Whether a channel may have a URL: asked when the channel is made, and again before every attempt,
// because the rules can have become stricter since.
import { isIP } from "node:net";
import { channelLimits } from "../../domain/channel/channel.ts";
import { canParseUrl, withoutBrackets } from "../../lib/urls.ts";
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

// The bad ports of WHATWG's Fetch standard, as browsers refuse them: a webhook must not talk to mail servers and
// the like. Without 9, which throws everything away.
const refusedPorts: ReadonlySet<number> = new Set([
  0, 1, 7, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 87, 95, 101, 102,
  103, 104, 109, 110, 111, 113, 115, 117, 119, 123, 135, 137, 139, 143, 161, 179, 389, 427, 465,
  512, 513, 514, 515, 526, 530, 531, 532, 540, 548, 554, 556, 563, 587, 601, 636, 989, 990, 993,
  995, 1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061, 6000, 6566, 6665, 6666, 6667, 6668,
  6669, 6679, 6697, 10_080,
]);

/** All checks of the URL alone: no name is resolved. */
export function checkWebhookUrl(text: string, policy: UrlPolicy): UrlCheck {
  if (text.length > channelLimits.urlMax)
    return refused(`the URL is longer than ${channelLimits.urlMax} characters`);
  if (!canParseUrl(text)) return refused("this is not a URL");
  const url = new URL(text);
  if (url.protocol !== "https:" && url.protocol !== "http:")
    return refused(
      policy.allowHttp
        ? "the URL must begin with https:// or http://"
        : "the URL must begin with https://",
    );
  if (url.username !== "" || url.password !== "")
    return refused("the URL must not hold a user name or password");
  if (refusedPorts.has(Number(url.port || "443")))
    return refused(`port ${url.port} is not one of the web`);
  // A name with its final dot is the same host, but neither certificates nor services know it by that name.
  url.hostname = url.hostname.replace(/\.$/, "");
  const host = hostOf(url);
  const isPlain = url.protocol === "http:" && !policy.allowHttp;
  const reasons = [
    isPlain ? "the URL must begin with https://; WEBHOOK_ALLOW_HTTP can allow http://" : null,
    isIP(host) === 0 ? null : policy.addresses.refuse(host),
  ].filter((reason) => reason !== null);
  return reasons.length === 0 ? { kind: "ok", url } : refused(reasons.join("; and "));
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

function hostOf(url: URL): string {
  return withoutBrackets(url.hostname);
}

function refused(reason: string): UrlCheck {
  return { kind: "refused", reason };
}
