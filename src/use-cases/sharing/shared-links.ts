// Links that share one page with people and feed readers without an account: made, opened and ended.
import type { Database } from "../../database/database.ts";
import type { FoundLink, NewSharedLink } from "../../database/reviews/shared-links.ts";
import { AppError } from "../../domain/error.ts";
import { type LinkKind, linkLimits } from "../../domain/shared-link.ts";
import { notFound } from "../../domain/validation-errors.ts";
import type { Clock } from "../../lib/clock.ts";
import { dayMs, hourMs } from "../../lib/timestamp.ts";
import { uuidV7 } from "../../lib/uuid.ts";
import { type ActDeps, recordAudit } from "../audit.ts";
import { generateToken, hashToken } from "../members/link-token.ts";

/** How precisely the last use is known. */
const useMs = hourMs;

/**
 * The link's secret is returned this once.
 *
 * @throws AppError `too_large` for the page of a frozen link, or `conflict` when the workspace has too many links
 */
export async function createSharedLink(
  deps: ActDeps,
  link: Pick<NewSharedLink, "workspaceId" | "kind" | "viewId" | "name" | "query" | "frozen"> & {
    /** null: a feed that ends by hand alone. */
    days: number | null;
  },
): Promise<{ id: string; token: string }> {
  const { workspaceId, kind, name, frozen, days } = link;
  const { linksMax, frozenBytesMax } = linkLimits;
  if (frozen && Buffer.byteLength(frozen.page) > frozenBytesMax) {
    const size = `${frozenBytesMax / 1024} kB`;
    throw new AppError("too_large", `the page has more than ${size}: choose fewer days or apps`);
  }
  const madeAt = deps.clock.now();
  const id = uuidV7(madeAt);
  const { token, tokenHash } = generateToken();
  const endsAt = days === null ? null : new Date(madeAt.getTime() + days * dayMs);
  await deps.database.transaction(async (tx) => {
    // Two at once would both see room for one more.
    await tx.lockWorkspace(workspaceId);
    const others = await tx.listSharedLinks({ workspaceId, now: madeAt });
    if (others.length >= linksMax) {
      throw new AppError("conflict", `a workspace can have ${linksMax} links: end some first`);
    }
    const made = { ...link, id, tokenHash, madeBy: deps.actor, madeAt, endsAt };
    if (!(await tx.insertSharedLink(made))) {
      throw new AppError("conflict", "a review of the page was erased just now: try again");
    }
    const detail = { kind, name, isFrozen: frozen !== null, endsAt };
    await recordAudit(deps, tx, "link.created", { id, workspaceId }, detail);
  });
  return { id, token };
}

/** @throws AppError `not_found` */
export async function endSharedLink(
  deps: ActDeps,
  link: { workspaceId: string; id: string },
): Promise<void> {
  await deps.database.transaction(async (tx) => {
    const [ended] = await tx.endSharedLinks(link);
    if (!ended) throw notFound("link", link.id);
    await recordAudit(deps, tx, "link.ended", link, { kind: ended.kind, name: ended.name });
  });
}

/** null for a link that is unknown, has ended, or is of another kind. */
export async function openSharedLink(
  { clock, database }: { clock: Clock; database: Pick<Database, "findSharedLink" | "noteLinkUse"> },
  { token, kinds }: { token: string; kinds: readonly LinkKind[] },
): Promise<FoundLink | null> {
  const now = clock.now();
  const link = await database.findSharedLink({ tokenHash: hashToken(token), kinds, now });
  if (link) {
    const notSince = new Date(now.getTime() - useMs);
    await database.noteLinkUse({ id: link.id, now, notSince });
  }
  return link;
}
