// Links that share one page with people without an account, and the list of everything that leaves the workspace.

import type * as requests from "../../dashboard-api/contract/requests.ts";
import type { Moment, Nothing, Route } from "../../dashboard-api/contract/route.ts";
import type { SharedApp, SharedContent, SharedReviews } from "../../read/pages/page-content.ts";
import type { LinkKind } from "./shared-link.ts";

export type { LinkKind, SharedApp, SharedContent, SharedReviews };

export type SharedPage = {
  name: string;
  workspaceName: string;
  madeBy: string;
  isFrozen: boolean;
  /** When the content was read. */
  readAt: Moment;
  endsAt: Moment | null;
  content: SharedContent;
};

/** A channel, an API key, an SQL user or a link. */
export type OutgoingItem = {
  kind: "channel" | "key" | "sql" | LinkKind;
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

export type SharingRoutes = {
  /** Everything by which reviews leave the workspace. */
  "GET /workspaces/:workspace/outgoing": Route<{ items: OutgoingItem[] }>;
  /** Owner. `path` has the link's secret and is shown this once. */
  "POST /workspaces/:workspace/links": Route<{ path: string }, typeof requests.newLink>;
  "DELETE /workspaces/:workspace/links/:link": Route<Nothing>;
  /** Owner. From now on the owner answers for the channel that a former member made. */
  "POST /workspaces/:workspace/channels/:channel/keep": Route<Nothing>;
  /** Owner. The same for an API key. */
  "POST /workspaces/:workspace/keys/:key/keep": Route<Nothing>;
  /** The page of a link, for everyone who has it. 404 once it has ended. */
  "POST /shared": Route<SharedPage, typeof requests.linkToken>;
};
