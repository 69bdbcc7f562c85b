// Warnings about how the operator runs Starpost. They don't prevent a start; `serve` logs them and `doctor`
// lists them.
import { networkInterfaces } from "node:os";

/** Returns sentences; usually none. */
export function listOperatorWarnings(): string[] {
  const warnings: string[] = [];
  if (process.getuid?.() === 0) {
    warnings.push(
      "Starpost runs as root, which may do everything on this machine; run it as a user of its own (docs/self-hosting.md)",
    );
  }
  if (!canListInterfaces()) {
    warnings.push(
      "the sandbox hides the network interfaces, so webhooks to this machine's own public addresses can't be refused; allow AF_NETLINK in RestrictAddressFamilies (packaging/systemd/starpost.service)",
    );
  }
  return warnings;
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
