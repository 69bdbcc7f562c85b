// The one page that a link shares: live, and read once in a minute, or as it was when the link was made.

import { AppError } from "../../domain/error.ts";
import { notFound } from "../../domain/validation-errors.ts";
import { keepRecent } from "../../lib/bounded-map.ts";
import { formatTimestamp, minuteMs } from "../../lib/timestamp.ts";
import {
  listNamed,
  type PageContent,
  type PageKind,
  readPageContent,
} from "../../read/pages/page-content.ts";
import type { Reader } from "../../read/reader.ts";
import type { SharedPage } from "./contract.ts";
import { openSharedLink } from "./open-link.ts";
import { type LinkKind, linkKinds, type NewLink } from "./shared-link.ts";
import type { FoundLink } from "./sql.ts";

/** A live page is read once in this time, however many visitors it has. */
const freshMs = minuteMs;
const recentMax = 100;
const pageKinds = linkKinds.filter((kind) => kind !== "feed");
type LivePage = { readAt: Date; content: Promise<PageContent> };
/** By the ids of their links. */
const recent = new Map<string, LivePage>();

/** Reads the page of a new link. @throws AppError `invalid_input` or `not_found` */
export async function preparePage(
  deps: Reader,
  { workspaceId, input }: { workspaceId: string; input: NewLink },
) {
  const page = await findPage(deps, { workspaceId, input });
  const isFrozen = "isFrozen" in input ? input.isFrozen : input.kind === "report";
  const query = { ...page, workspaceId, kind: toPageKind(input.kind) };
  const content = await readPageContent(deps, query);
  const frozen = isFrozen
    ? { page: JSON.stringify(content), reviewIds: listQuoted(content) }
    : null;
  return { ...page, name: page.name ?? (await nameOf(deps, { workspaceId, content })), frozen };
}

/** @throws AppError `not_found` for a link that is unknown or has ended, or whose page is gone */
export async function openSharedPage(deps: Reader, token: string): Promise<SharedPage> {
  const link = await openSharedLink(deps, { token, kinds: pageKinds });
  if (!link) throw new AppError("not_found", "this link is unknown, or has ended");
  const { name, workspaceName, madeBy, isFrozen, madeAt, endsAt, frozenPage } = link;
  const { readAt, content } =
    frozenPage === null
      ? readLive(deps, link)
      : // As it was written by this file.
        { readAt: madeAt, content: JSON.parse(frozenPage) as PageContent };
  return {
    name,
    workspaceName,
    madeBy,
    isFrozen,
    readAt: formatTimestamp(readAt),
    endsAt: endsAt && formatTimestamp(endsAt),
    content: await content,
  };
}

/** A feed has the reviews of a view. */
function toPageKind(kind: LinkKind): PageKind {
  return kind === "feed" ? "view" : kind;
}

function readLive(deps: Reader, link: FoundLink): LivePage {
  const now = deps.clock.now();
  const known = recent.get(link.id);
  if (known && now.getTime() - known.readAt.getTime() < freshMs) return known;
  const database = deps.database.forWorkspace(link.workspaceId);
  const query = { ...link, kind: toPageKind(link.kind) };
  const page = { readAt: now, content: readPageContent({ ...deps, database }, query) };
  keepRecent(recent, { key: link.id, value: page, countMax: recentMax });
  // A failure is not kept.
  page.content.catch(() => recent.delete(link.id));
  return page;
}

/** A view's name and filters are those that it has now. */
async function findPage(
  { database }: Reader,
  { workspaceId, input }: { workspaceId: string; input: NewLink },
): Promise<{ viewId: string | null; name: string | null; query: string }> {
  if ("query" in input) return { viewId: null, name: null, query: input.query };
  const views = await database.listSavedViews(workspaceId);
  const view = views.find(({ id }) => id === input.viewId);
  if (!view) throw notFound("view", input.viewId);
  return { viewId: view.id, name: view.name, query: view.query };
}

async function nameOf(
  deps: Reader,
  { workspaceId, content }: { workspaceId: string; content: PageContent },
): Promise<string> {
  if (content.kind === "comparison") return "Comparison";
  const ids = content.kind === "view" ? [] : [content.app ?? undefined];
  const [app] = await listNamed(deps, { workspaceId, ids });
  return app?.name ?? "All apps";
}

/** Reviews whose texts the page has. */
function listQuoted(content: PageContent): string[] {
  if (content.kind === "view") return content.reviews.map(({ id }) => id);
  if (content.kind === "comparison") return [];
  return content.overview.incidents.flatMap(({ quote }) => (quote ? [quote.reviewId] : []));
}
