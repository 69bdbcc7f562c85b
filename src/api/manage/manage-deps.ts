// Shared by the routes of the set-up: their dependencies and their answers.
import type { Log } from "../../lib/log.ts";
import type { ResourceDeps } from "../../operations/resource.ts";
import type { InviteDeps } from "../../use-cases/channels/email-recipients.ts";

/** The dependencies of use cases that the read API lacks. */
export type ManageDeps = Omit<ResourceDeps, "actor" | "confirmRecipients" | "announceMove"> &
  Omit<InviteDeps, "database"> & {
    log: Log;
    /** The stores for one request, which end with its client. */
    storesFor: (caller: { workspaceId: string; signal: AbortSignal }) => ResourceDeps["stores"];
  };

export type Sent = {
  status: number;
  body: Record<string, unknown> | null;
  etag?: string | undefined;
  location?: string | undefined;
};
