// The mail server of the settings: SMTP_URL says host, port, user and password, EMAIL_FROM the sender.
import type { Config } from "../config/config.ts";
import type { MailServer } from "../delivery/channel-types/email/mailer.ts";
import { withoutBrackets } from "../lib/urls.ts";

/** null while one of the two is not set. */
export function readMailSettings(
  config: Pick<Config, "smtpUrl" | "emailFrom">,
): { server: MailServer; from: string } | null {
  const { smtpUrl, emailFrom } = config;
  if (smtpUrl === null || emailFrom === null) return null;
  const url = new URL(smtpUrl);
  const isSecure = url.protocol === "smtps:";
  const { hostname, port, username, password } = url;
  const user = decodeURIComponent(username);
  const server = {
    host: withoutBrackets(hostname),
    port: port === "" ? (isSecure ? 465 : 587) : Number(port),
    isSecure,
    auth: user === "" ? null : { user, pass: decodeURIComponent(password) },
  };
  return { server, from: emailFrom };
}

/** Whether channels may send to an address; without domains they may send to all. */
export function createDomainCheck(domains: readonly string[]): (address: string) => boolean {
  const allowed = new Set(domains.map((domain) => domain.toLowerCase()));
  return (address) => allowed.size === 0 || allowed.has(address.replace(/^.*@/, "").toLowerCase());
}
