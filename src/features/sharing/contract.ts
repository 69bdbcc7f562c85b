// Links that share one page with people without an account.
import type { linkToken } from "../../dashboard-api/contract/requests.ts";
import type { Moment, Nothing, Route } from "../../dashboard-api/contract/route.ts";
import type { PageContent } from "../../read/pages/page-content.ts";
import type { LinkKind, NewLink, newLinkSchema } from "./shared-link.ts";

export type { LinkKind, NewLink };

export type SharedPage = {
  name: string;
  workspaceName: string;
  madeBy: string;
  isFrozen: boolean;
  /** When the content was read. */
  readAt: Moment;
  endsAt: Moment | null;
  content: PageContent;
};

export type SharingRoutes = {
  /** Owner. `path` has the link's secret and is shown this once. */
  "POST /workspaces/:workspace/links": Route<{ path: string }, typeof newLinkSchema>;
  "DELETE /workspaces/:workspace/links/:link": Route<Nothing>;
  /** The page of a link, for everyone who has it. 404 once it has ended. */
  "POST /shared": Route<SharedPage, typeof linkToken>;
};
