// Links that share a page, by the SHA-256 of their secret.
import sql from "sql-template-tag";
import { changesRow, type Db, execute, queryFirstRow, queryRows } from "../../database/query.ts";
import { parameter } from "../../database/sql.ts";
import type { LinkKind, SharedLink } from "./shared-link.ts";

const columns = sql`l.id, l.kind, l.name, l.frozen_page is not null as "isFrozen", u.name as "madeBy",
  l.made_at as "madeAt", l.ends_at as "endsAt", l.used_at as "usedAt"`;

type NewSharedLink = {
  id: string;
  workspaceId: string;
  kind: LinkKind;
  viewId: string | null;
  name: string;
  query: string;
  tokenHash: Buffer;
  madeBy: string;
  madeAt: Date;
  endsAt: Date | null;
  /** null: a live link. */
  frozen: { page: string; reviewIds: readonly string[] } | null;
};

/** False when the author of one of its reviews had the review erased after the page was read. */
export function insertSharedLink(db: Db, link: NewSharedLink): Promise<boolean> {
  const { frozen } = link;
  const reviewIds = parameter(frozen?.reviewIds ?? []);
  return changesRow(db, "insertSharedLink")`insert into shared_links (id, workspace_id, kind,
      view_id, name, query, token_hash, made_by, made_at, ends_at, frozen_page, review_ids)
    select ${link.id}, ${link.workspaceId}, ${link.kind}, ${link.viewId}, ${link.name}, ${link.query},
      ${link.tokenHash}, ${link.madeBy}, ${link.madeAt}, ${link.endsAt}, ${frozen?.page ?? null},
      ${reviewIds}::uuid[]
    where not exists (select from erased_reviews where review_id = any(${reviewIds}::uuid[]))`;
}

/** The newest first. */
export function listSharedLinks(
  db: Db,
  query: { workspaceId: string; now: Date },
): Promise<SharedLink[]> {
  return queryRows(db, "listSharedLinks")`select ${columns} from shared_links l
    join users u on u.id = l.made_by
    where l.workspace_id = ${query.workspaceId} and (l.ends_at is null or l.ends_at > ${query.now})
    order by l.made_at desc, l.id desc`;
}

/** Ends one link, or all links that a user made in the workspace. */
export function endSharedLinks(
  db: Db,
  links: { workspaceId: string } & ({ id: string } | { madeBy: string }),
): Promise<Pick<SharedLink, "id" | "kind" | "name">[]> {
  const [id, madeBy] = "id" in links ? [links.id, null] : [null, links.madeBy];
  return queryRows(db, "endSharedLinks")`delete from shared_links
      where workspace_id = ${links.workspaceId} and (id = ${id} or made_by = ${madeBy})
    returning id, kind, name`;
}

export type FoundLink = SharedLink & {
  workspaceId: string;
  workspaceName: string;
  query: string;
  /** null: the link is live. */
  frozenPage: string | null;
};

/** null for an unknown link, one that has ended, or one whose maker is not a member any more. */
export function findSharedLink(
  db: Db,
  link: { tokenHash: Buffer; kinds: readonly LinkKind[]; now: Date },
): Promise<FoundLink | null> {
  return queryFirstRow(db, "findSharedLink")`select ${columns}, l.workspace_id as "workspaceId",
      w.name as "workspaceName", l.query, l.frozen_page as "frozenPage"
    from shared_links l join workspaces w on w.id = l.workspace_id join users u on u.id = l.made_by
      join members m on m.workspace_id = l.workspace_id and m.user_id = l.made_by
    where l.token_hash = ${link.tokenHash} and l.kind = any(${link.kinds})
      and (l.ends_at is null or l.ends_at > ${link.now})`;
}

/** Writes nothing when the last use is newer than `notSince`: readers ask often. */
export async function noteLinkUse(
  db: Db,
  use: { id: string; now: Date; notSince: Date },
): Promise<void> {
  await execute(db, "noteLinkUse")`update shared_links set used_at = ${use.now} where id = ${use.id}
      and (used_at is null or used_at < ${use.notSince})`;
}

export async function deleteEndedLinks(db: Db, now: Date): Promise<void> {
  await execute(db, "deleteEndedLinks")`delete from shared_links where ends_at <= ${now}`;
}

/** Frozen pages that quote the review. */
export async function deleteFrozenPagesOf(db: Db, reviewId: string): Promise<void> {
  await execute(db, "deleteFrozenPagesOf")`delete from shared_links
    where review_ids @> array[${reviewId}::uuid]`;
}
