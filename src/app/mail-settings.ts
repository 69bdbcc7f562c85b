// The mail server of the settings: SMTP_URL says host, port, user and password, EMAIL_FROM the sender.
import { isIP } from "node:net";
import { domainToASCII } from "node:url";
import type { Config } from "../config/config.ts";
import type { MailServer } from "../delivery/channel-types/email/mailer.ts";
import { plainHost, withoutBrackets } from "../lib/urls.ts";

/** null while one of the two is not set. */
export function readMailSettings(
  config: Pick<Config, "smtpUrl" | "emailFrom" | "publicUrl">,
): { server: MailServer; from: string } | null {
  const { smtpUrl, emailFrom, publicUrl } = config;
  if (smtpUrl === null || emailFrom === null) return null;
  const url = new URL(smtpUrl);
  const isSecure = url.protocol === "smtps:";
  const { hostname, port, username, password } = url;
  const user = decodeURIComponent(username);
  const server = {
    host: plainHost(hostname),
    port: port === "" ? (isSecure ? 465 : 587) : Number(port),
    isSecure,
    clientName: url.searchParams.get("name") ?? fullNameOf(publicUrl),
    auth: user === "" ? null : { user, pass: decodeURIComponent(password) },
  };
  return { server, from: emailFrom };
}

/**
 * The name to greet with: many servers refuse a machine's short name. null leaves it to the mailer, which then says the address.
 */
function fullNameOf(publicUrl: string | null): string | null {
  const host = publicUrl === null ? "" : new URL(publicUrl).hostname;
  const isFull = isIP(withoutBrackets(host)) === 0 && /[^.]\.[^.]/.test(host);
  return isFull && !/(^|\.)localhost$/.test(host) ? host : null;
}

/** Whether channels may send to an address; without domains they may send to all. */
export function createDomainCheck(domains: readonly string[]): (address: string) => boolean {
  const allowed = new Set(domains);
  const domainOf = (address: string): string => domainToASCII(address.replace(/^.*@/, ""));
  return (address) => allowed.size === 0 || allowed.has(domainOf(address));
}
