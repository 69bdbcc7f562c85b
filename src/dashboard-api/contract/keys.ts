// API keys: shown in full once, then by their first characters.
import type { ApiKey as KeyRow } from "../../domain/people/workspace.ts";
import type { createKey } from "../../operations/key.ts";
import type { Carries, Day, Owned, Route } from "./route.ts";

export type ApiKey = Owned<KeyRow> & {
  /** Accepted requests of the last 14 UTC days, oldest first, today last. */
  requestDays: { day: Day; count: number }[];
};

export type KeyRoutes = {
  /** Newest first; revoked ones stay in the list. */
  "GET /workspaces/:workspace/keys": Route<{ keys: ApiKey[] }>;
  /** Owner. `key` is shown only here. */
  "POST /workspaces/:workspace/keys": Carries<
    /** `scope`: `read` by default. `days`: after which it ends, at most 3,650; never by default. */
    { apiKey: ApiKey; key: string },
    typeof createKey
  >;
  /** Owner. Takes effect at once and can't be undone. */
  "POST /workspaces/:workspace/keys/:key/revoke": Route<{ apiKey: ApiKey }>;
};
