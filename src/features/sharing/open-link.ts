// Links that share one page with people and feed readers without an account, opened.

import type { Database } from "../../database/database.ts";
import type { Clock } from "../../lib/clock.ts";
import { hourMs } from "../../lib/timestamp.ts";
import { hashToken } from "../../use-cases/accounts/link-token.ts";
import type { LinkKind } from "./shared-link.ts";
import type { FoundLink } from "./sql.ts";

/** How precisely the last use is known. */
const useMs = hourMs;

/** null for a link that is unknown, has ended, or is of another kind. */
export async function openSharedLink(
  {
    clock,
    database,
  }: { clock: Clock; database: Pick<Database, "findSharedLink" | "forWorkspace"> },
  { token, kinds }: { token: string; kinds: readonly LinkKind[] },
): Promise<FoundLink | null> {
  const now = clock.now();
  const link = await database.findSharedLink({ tokenHash: hashToken(token), kinds, now });
  if (link) {
    const notSince = new Date(now.getTime() - useMs);
    await database.forWorkspace(link.workspaceId).noteLinkUse({ id: link.id, now, notSince });
  }
  return link;
}
