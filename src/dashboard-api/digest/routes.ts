// What changed in the reviews of an app.
import { z } from "zod";
import { readDigest } from "../../use-cases/digest/read-digest.ts";
import { type DashboardRoute, route } from "../dashboard-route.ts";
import { day, version } from "../fields.ts";

export const digestRoutes: readonly DashboardRoute[] = [
  route("GET /workspaces/:workspace/apps/:app/digest", {
    access: "member",
    // Thousands of texts are read for it.
    limits: [{ perMinute: 60, by: "workspace" }],
    query: z.strictObject({ since: version.optional(), to: day.optional() }),
    handle: async ({ deps, workspace, params, query }) => ({
      digest: await readDigest(deps, { ...query, appId: params.app, workspaceId: workspace.id }),
    }),
  }),
];
