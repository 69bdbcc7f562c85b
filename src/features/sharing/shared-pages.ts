// The one page that a link shares: live, and read once in a minute, or as it was when the link was made.

import type { NewLink } from "../../dashboard-api/contract/requests.ts";
import type { DashboardDeps } from "../../dashboard-api/deps.ts";
import { AppError } from "../../domain/error.ts";
import { notFound } from "../../domain/validation-errors.ts";
import { keepRecent } from "../../lib/bounded-map.ts";
import { formatTimestamp, minuteMs } from "../../lib/timestamp.ts";
import { listNamed, readSharedContent } from "../../read/pages/page-content.ts";
import type { SharedContent, SharedPage } from "./contract.ts";
import { openSharedLink } from "./open-link.ts";
import { linkKinds } from "./shared-link.ts";
import type { FoundLink } from "./sql.ts";

/** A live page is read once in this time, however many visitors it has. */
const freshMs = minuteMs;
const recentMax = 100;
const pageKinds = linkKinds.filter((kind) => kind !== "feed");
type LivePage = { readAt: Date; content: Promise<SharedContent> };

export function createSharedPages(deps: DashboardDeps) {
  const recent = new Map<string, LivePage>();
  const control = { ...deps, database: deps.database.control() };
  const within = (workspaceId: string): DashboardDeps => ({
    ...deps,
    database: deps.database.forWorkspace(workspaceId),
  });

  function readLive(link: FoundLink): LivePage {
    const now = deps.clock.now();
    const known = recent.get(link.id);
    if (known && now.getTime() - known.readAt.getTime() < freshMs) return known;
    const page = { readAt: now, content: readSharedContent(within(link.workspaceId), link) };
    keepRecent(recent, { key: link.id, value: page, countMax: recentMax });
    // A failure is not kept.
    page.content.catch(() => recent.delete(link.id));
    return page;
  }

  return {
    /** Reads the page of a new link. @throws AppError `invalid_input` or `not_found` */
    async prepare({ workspaceId, input }: { workspaceId: string; input: NewLink }) {
      const deps = within(workspaceId);
      const page = await findPage(deps, { workspaceId, input });
      const isFrozen = "isFrozen" in input ? input.isFrozen : input.kind === "report";
      const content = await readSharedContent(deps, { ...page, workspaceId, kind: input.kind });
      const frozen = isFrozen
        ? { page: JSON.stringify(content), reviewIds: listQuoted(content) }
        : null;
      return { ...page, name: page.name ?? (await nameOf(deps, { workspaceId, content })), frozen };
    },
    /** @throws AppError `not_found` for a link that is unknown or has ended, or whose page is gone */
    async open(token: string): Promise<SharedPage> {
      const link = await openSharedLink(control, { token, kinds: pageKinds });
      if (!link) throw new AppError("not_found", "this link is unknown, or has ended");
      const { name, workspaceName, madeBy, isFrozen, madeAt, endsAt, frozenPage } = link;
      const { readAt, content } =
        frozenPage === null
          ? readLive(link)
          : // As it was written by this file.
            { readAt: madeAt, content: JSON.parse(frozenPage) as SharedContent };
      return {
        name,
        workspaceName,
        madeBy,
        isFrozen,
        readAt: formatTimestamp(readAt),
        endsAt: endsAt && formatTimestamp(endsAt),
        content: await content,
      };
    },
  };
}

/** A view's name and filters are those that it has now. */
async function findPage(
  { database }: DashboardDeps,
  { workspaceId, input }: { workspaceId: string; input: NewLink },
): Promise<{ viewId: string | null; name: string | null; query: string }> {
  if ("query" in input) return { viewId: null, name: null, query: input.query };
  const views = await database.listSavedViews(workspaceId);
  const view = views.find(({ id }) => id === input.viewId);
  if (!view) throw notFound("view", input.viewId);
  return { viewId: view.id, name: view.name, query: view.query };
}

async function nameOf(
  deps: DashboardDeps,
  { workspaceId, content }: { workspaceId: string; content: SharedContent },
): Promise<string> {
  if (content.kind === "comparison") return "Comparison";
  const ids = content.kind === "view" ? [] : [content.app ?? undefined];
  const [app] = await listNamed(deps, { workspaceId, ids });
  return app?.name ?? "All apps";
}

/** Reviews whose texts the page has. */
function listQuoted(content: SharedContent): string[] {
  if (content.kind === "view") return content.reviews.map(({ id }) => id);
  if (content.kind === "comparison") return [];
  return content.overview.incidents.flatMap(({ quote }) => (quote ? [quote.reviewId] : []));
}
