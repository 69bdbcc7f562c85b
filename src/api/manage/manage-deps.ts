// Shared by the routes of the set-up: the parts of the service that the read API lacks, and their answers.
import type { OperationDeps } from "../../operations/operation.ts";

type Stores = Awaited<ReturnType<OperationDeps["loadStores"]>>;

export type ManageOptions = Omit<
  OperationDeps,
  "clock" | "database" | "log" | "settings" | "loadStores"
> & {
  stores: Stores;
  /** The stores for one request, which end with its client. */
  storesFor: (caller: { workspaceId: string; signal: AbortSignal }) => Stores;
};

export type Sent = {
  status: number;
  body: Record<string, unknown> | null;
  etag?: string | undefined;
  location?: string | undefined;
};
