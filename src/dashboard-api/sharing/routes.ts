// Links to one page, the page of a link, and everything that leaves the workspace.
import { notFound } from "../../domain/validation-errors.ts";
import { requireChannel } from "../../use-cases/channels/channels.ts";
import { createSharedLink, endSharedLink } from "../../use-cases/sharing/shared-links.ts";
import { linkToken, newLink } from "../contract/requests.ts";
import { type DashboardRoute, route } from "../dashboard-route.ts";
import { feedPathOf } from "../view-feeds/view-feed.ts";
import { listOutgoing } from "./outgoing.ts";

export const sharingRoutes: readonly DashboardRoute[] = [
  route("GET /workspaces/:workspace/outgoing", {
    access: "member",
    handle: async ({ deps, workspaceId }) => ({ items: await listOutgoing(deps, workspaceId) }),
  }),
  route("POST /workspaces/:workspace/links", {
    // It reads reviews without signing in, as a key does.
    access: "owner",
    isSensitive: true,
    limits: [{ perMinute: 30, by: "workspace" }],
    body: newLink,
    async handle({ deps, workspace, workspaceId, notices, body }) {
      const page = await deps.sharedPages.prepare({ workspaceId, input: body });
      const { kind, days } = body;
      const { token } = await createSharedLink(deps, { ...page, workspaceId, kind, days });
      notices.owners(workspace, `made a link by which everyone who has it reads "${page.name}"`);
      // In the fragment: browsers send it neither to servers nor as a referrer. Feed readers send only a path.
      return { path: kind === "feed" ? feedPathOf(token) : `/shared#${token}` };
    },
  }),
  route("DELETE /workspaces/:workspace/links/:link", {
    access: "member",
    handle: ({ deps, subject }) => endSharedLink(deps, subject),
  }),
  route("POST /workspaces/:workspace/channels/:channel/keep", {
    access: "owner",
    isSensitive: true,
    recordedAs: "channel.kept",
    async handle({ deps, subject }) {
      await requireChannel(deps.database, subject);
    },
  }),
  route("POST /workspaces/:workspace/keys/:key/keep", {
    access: "owner",
    isSensitive: true,
    recordedAs: "key.kept",
    async handle({ deps, workspaceId, params }) {
      const keys = await deps.database.listApiKeys({ workspaceId });
      if (!keys.some(({ id }) => id === params.key)) throw notFound("key", params.key);
    },
  }),
  route("POST /shared", {
    access: "anyone",
    body: linkToken,
    handle: ({ deps, body }) => deps.sharedPages.open(body.token),
  }),
];
