// API keys: shown in full once, then by their first characters.
import type * as requests from "./requests.ts";
import type { Day, Moment, Route } from "./route.ts";

export type ApiKey = {
  id: string;
  name: string;
  prefix: string;
  createdAt: Moment;
  lastUsedAt: Moment | null;
  /** The client's IP address at the last use. */
  lastUsedAddress: string | null;
  /** From then on it is refused; null: never. */
  endsAt: Moment | null;
  revokedAt: Moment | null;
  /** Accepted requests of the last 14 UTC days, oldest first, today last. */
  requestDays: { day: Day; count: number }[];
};

export type KeyRoutes = {
  /** Newest first; revoked ones stay in the list. */
  "GET /workspaces/:workspace/keys": Route<{ response: { keys: ApiKey[] } }>;
  /** Owner. `key` is shown only here. */
  "POST /workspaces/:workspace/keys": Route<{
    /** `days`: after which it ends, at most 3,650; never by default. */
    body: typeof requests.newKey;
    response: { apiKey: ApiKey; key: string };
  }>;
  /** Owner. Takes effect at once and can't be undone. */
  "POST /workspaces/:workspace/keys/:key/revoke": Route<{ response: { apiKey: ApiKey } }>;
};
