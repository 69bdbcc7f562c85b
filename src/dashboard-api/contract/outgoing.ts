// Everything by which reviews leave the workspace.
import type { Moment, Nothing, Route } from "./route.ts";

/** A channel, an API key, or another reader. */
export type OutgoingItem = {
  /** `channel`, `key`, or that of another reader: `sql`, or a kind of link. */
  kind: string;
  id: string;
  name: string;
  /** In words. */
  destination: string;
  /** null: the account was deleted, or the operator made it. */
  madeBy: string | null;
  hasMakerLeft: boolean;
  madeAt: Moment;
  /** When a channel sent its last delivery, or the key or link was used last. */
  usedAt: Moment | null;
  endsAt: Moment | null;
  /** A channel that is paused. */
  isPaused: boolean;
};

export type OutgoingRoutes = {
  "GET /workspaces/:workspace/outgoing": Route<{ items: OutgoingItem[] }>;
  /** Owner. From now on the owner answers for the channel that a former member made. */
  "POST /workspaces/:workspace/channels/:channel/keep": Route<Nothing>;
  /** Owner. The same for an API key. */
  "POST /workspaces/:workspace/keys/:key/keep": Route<Nothing>;
};
