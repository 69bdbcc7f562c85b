// Links to one page, the page of a link, and everything that leaves the workspace.
import { keepChannel } from "../../operations/channel-actions.ts";
import { createLink, endLink } from "../../operations/link.ts";
import { linkToken, newLink } from "../contract/requests.ts";
import { type DashboardRoute, operate, route } from "../dashboard-route.ts";
import { feedPathOf } from "../view-feeds/view-feed.ts";
import { listOutgoing } from "./outgoing.ts";

export const sharingRoutes: readonly DashboardRoute[] = [
  route("GET /workspaces/:workspace/outgoing", {
    access: "member",
    handle: async ({ deps, workspaceId }) => ({ items: await listOutgoing(deps, workspaceId) }),
  }),
  operate(
    "POST /workspaces/:workspace/links",
    createLink,
    async ({ result: { kind }, secret: token = "" }) => ({
      // In the fragment: browsers send it neither to servers nor as a referrer. Feed readers send only a path.
      path: kind === "feed" ? feedPathOf(token) : `/shared#${token}`,
    }),
    {
      body: newLink,
      async toInput({ deps, workspaceId, body }) {
        const page = await deps.sharedPages.prepare({ workspaceId, input: body });
        return { ...page, kind: body.kind, days: body.days };
      },
    },
  ),
  operate("DELETE /workspaces/:workspace/links/:link", endLink),
  operate("POST /workspaces/:workspace/channels/:channel/keep", keepChannel),
  route("POST /shared", {
    access: "anyone",
    body: linkToken,
    handle: ({ deps, body }) => deps.sharedPages.open(body.token),
  }),
];
