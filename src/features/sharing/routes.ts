// Links to one page, and the page of a link.
import { linkToken } from "../../dashboard-api/contract/requests.ts";
import { type DashboardRoute, routesOf } from "../../dashboard-api/dashboard-route.ts";
import type { SharingRoutes } from "./contract.ts";
import { createLink, endLink } from "./operations.ts";
import { newLinkSchema } from "./shared-link.ts";
import { openSharedPage, preparePage } from "./shared-pages.ts";
import { feedPathOf } from "./view-feed.ts";

const { operate, route } = routesOf<SharingRoutes>();

export const sharingRoutes: readonly DashboardRoute[] = [
  operate(
    "POST /workspaces/:workspace/links",
    createLink,
    async ({ result: { kind }, secret: token = "" }) => ({
      // In the fragment: browsers send it neither to servers nor as a referrer. Feed readers send only a path.
      path: kind === "feed" ? feedPathOf(token) : `/shared#${token}`,
    }),
    {
      body: newLinkSchema,
      async toInput({ deps, workspaceId, body }) {
        const page = await preparePage(deps, { workspaceId, input: body });
        return { ...page, kind: body.kind, days: body.days };
      },
    },
  ),
  operate("DELETE /workspaces/:workspace/links/:link", endLink),
  route("POST /shared", {
    access: "anyone",
    body: linkToken,
    handle: ({ deps, body }) => openSharedPage(deps, body.token),
  }),
];
