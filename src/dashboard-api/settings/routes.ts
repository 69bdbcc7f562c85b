// Settings of a workspace: its name, and the state of the providers.
import { omit } from "../../lib/pick.ts";
import { changeWorkspace, createWorkspace, removeWorkspace } from "../../operations/workspace.ts";
import { requireWorkspace } from "../../use-cases/workspaces/workspaces.ts";
import { toSignedInView } from "../account/routes.ts";
import { newWorkspace } from "../contract/requests.ts";
import { providerFields } from "../contract/settings.ts";
import { type DashboardRoute, operate, route } from "../dashboard-route.ts";
import { show } from "../show.ts";

export const settingsRoutes: readonly DashboardRoute[] = [
  route("GET /workspaces/:workspace/settings", {
    access: "viewer",
    async handle({ deps, workspace, workspaceId }) {
      const providers = await deps.readProviders();
      return {
        workspace: await requireWorkspace(deps.database, { id: workspaceId }),
        role: workspace.role,
        providers: providers.map((one) => show(one, providerFields)),
      };
    },
  }),
  operate("PATCH /workspaces/:workspace/settings", changeWorkspace, async ({ result }) => ({
    workspace: omit(result, ["workspaceId"]),
  })),
  operate(
    "POST /workspaces/:workspace/workspaces",
    createWorkspace,
    async ({ result: { id } }, { deps, me }) =>
      toSignedInView(deps, { user: { ...me.user, workspaceId: id } }),
    {
      isBeside: true,
      body: newWorkspace,
      toInput: async ({ deps, body }) => ({ ...body, plan: deps.settings.defaultPlan }),
    },
  ),
  operate("DELETE /workspaces/:workspace", removeWorkspace),
];
