// Settings of a workspace: its name, the state of the providers, and its store credentials.
import type { Credential } from "../../domain/store/credential.ts";
import { addCredential, removeCredential } from "../../features/store-accounts/operations.ts";
import { omit } from "../../lib/pick.ts";
import { changeWorkspace, createWorkspace, removeWorkspace } from "../../operations/workspace.ts";
import { requireWorkspace } from "../../use-cases/workspaces/workspaces.ts";
import { toSignedInView } from "../account/routes.ts";
import { newWorkspace } from "../contract/requests.ts";
import { type Credential as CredentialView, providerFields } from "../contract/settings.ts";
import { type DashboardRoute, operate, route } from "../dashboard-route.ts";
import type { DashboardDeps } from "../deps.ts";
import { show, toJson } from "../show.ts";

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
  route("GET /workspaces/:workspace/credentials", {
    access: "owner",
    async handle({ deps, workspaceId }) {
      const credentials = await deps.database.listCredentials({ workspaceId });
      const views = credentials.map((credential) => toCredentialView(deps, credential));
      return { credentials: await Promise.all(views) };
    },
  }),
  operate(
    "POST /workspaces/:workspace/credentials",
    addCredential,
    async ({ result }, { deps }) => ({
      credential: await toCredentialView(deps, result),
    }),
  ),
  operate("DELETE /workspaces/:workspace/credentials/:credential", removeCredential),
];

async function toCredentialView(
  { database }: DashboardDeps,
  { workspaceId: _, ...credential }: Credential,
): Promise<CredentialView> {
  const appCount = await database.countCredentialUses(credential.id);
  return { ...toJson(credential), appCount };
}
