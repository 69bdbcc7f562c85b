// What changed in the reviews of an app: in a week, or since a version came out.
import type { Digest } from "../../domain/digest.ts";
import type { Day, Route } from "./route.ts";

export type { Digest, DuplicateGroup, NewPhrase, Quote, Spike } from "../../domain/digest.ts";

export type DigestRoutes = {
  /** Without `since`, a version, the week up to `to`; without `to` up to yesterday, after a version to today. */
  "GET /workspaces/:workspace/apps/:app/digest": Route<{
    query: { since?: string | undefined; to?: Day | undefined };
    response: { digest: Digest };
  }>;
};
