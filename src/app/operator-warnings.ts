// Warnings about how the operator runs Starpost. They don't prevent a start; `serve` logs them and `doctor`
// lists them.
import { networkInterfaces } from "node:os";
import { type Config, isLocalHost } from "../config/config.ts";

export type OperatorWarning = { subject: string; sentence: string };

/** Usually none. */
export function listOperatorWarnings(
  config: Pick<Config, "host" | "publicUrl" | "trustedProxies">,
): OperatorWarning[] {
  const isReachable = config.trustedProxies.length > 0 || !isLocalHost(config.host);
  const warnings: [boolean, string, string][] = [
    [
      process.getuid?.() === 0,
      "user",
      "Starpost runs as root, which may do everything on this machine; run it as a user of its own (docs/self-hosting.md)",
    ],
    [
      !canListInterfaces(),
      "sandbox",
      "the sandbox hides the network interfaces, so webhooks to this machine's own public addresses can't be refused; allow AF_NETLINK in RestrictAddressFamilies (packaging/systemd/starpost.service)",
    ],
    [
      isReachable && config.publicUrl === null,
      "public URL",
      "PUBLIC_URL is not set: messages have no links, and sign-in fails behind a proxy with TLS; set it to the address that people open",
    ],
  ];
  return warnings.flatMap(([isNeeded, subject, sentence]) =>
    isNeeded ? [{ subject, sentence }] : [],
  );
}

function canListInterfaces(): boolean {
  try {
    networkInterfaces();
    return true;
  } catch {
    // Listing needs a netlink socket; any failure has the same consequence.
    return false;
  }
}
