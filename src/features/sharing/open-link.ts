// Links that share one page with people and feed readers without an account, opened.

import { hourMs } from "../../lib/timestamp.ts";
import type { Reader } from "../../read/reader.ts";
import { hashToken } from "../../use-cases/accounts/link-token.ts";
import type { LinkKind } from "./shared-link.ts";
import * as statements from "./sql.ts";

/** How precisely the last use is known. */
const useMs = hourMs;

/** null for a link that is unknown, has ended, or is of another kind. */
export async function openSharedLink(
  { clock, database }: Pick<Reader, "clock" | "database">,
  { token, kinds }: { token: string; kinds: readonly LinkKind[] },
): Promise<statements.FoundLink | null> {
  const now = clock.now();
  const links = database.control().with(statements);
  const link = await links.findSharedLink({ tokenHash: hashToken(token), kinds, now });
  if (link) {
    const notSince = new Date(now.getTime() - useMs);
    const own = database.forWorkspace(link.workspaceId).with(statements);
    await own.noteLinkUse({ id: link.id, now, notSince });
  }
  return link;
}
