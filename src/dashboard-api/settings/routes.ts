// Settings of a workspace: its name, the state of the providers, and its store credentials.
import type { Credential } from "../../domain/credential.ts";
import { AppError } from "../../domain/error.ts";
import { addCredential, removeCredential } from "../../operations/credential.ts";
import { hasSecondFactor } from "../../use-cases/accounts/second-factor.ts";
import { listProviders } from "../../use-cases/analysis/providers.ts";
import { recordAudit } from "../../use-cases/audit.ts";
import { requireWorkspace } from "../../use-cases/workspaces/workspaces.ts";
import { workspaceChange } from "../contract/requests.ts";
import { type Credential as CredentialView, providerFields } from "../contract/settings.ts";
import { type DashboardRoute, operate, type RouteDeps, route } from "../dashboard-route.ts";
import type { DashboardDeps } from "../deps.ts";
import { assertRecentProof } from "../session/identity.ts";
import { show, toJson } from "../show.ts";

export const settingsRoutes: readonly DashboardRoute[] = [
  route("GET /workspaces/:workspace/settings", {
    access: "viewer",
    async handle({ deps, workspace, workspaceId }) {
      const providers = await listProviders(deps, deps.providers);
      return {
        workspace: await requireWorkspace(deps.database, { id: workspaceId }),
        role: workspace.role,
        providers: providers.map((one) => show(one, providerFields)),
      };
    },
  }),
  route("PATCH /workspaces/:workspace/settings", {
    access: "owner",
    body: workspaceChange,
    async handle({ deps, workspace, workspaceId: id, me, notices, body }) {
      const { name, requiresSecondFactor: isRequired } = body;
      if (isRequired !== undefined) {
        assertRecentProof(deps, me);
        await requireSecondFactors(deps, { id, isRequired });
        const kind = isRequired ? "required for all members" : "optional";
        notices.owners(workspace, `made a second factor ${kind}`);
      }
      if (name !== undefined) await renameWorkspace(deps, { id, name });
      return { workspace: await requireWorkspace(deps.database, { id }) };
    },
  }),
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

/** @throws AppError `conflict` when the owner, who would be locked out, has no second factor */
async function requireSecondFactors(
  deps: RouteDeps,
  { id, isRequired }: { id: string; isRequired: boolean },
): Promise<void> {
  if (isRequired && !(await hasSecondFactor(deps, deps.actor))) {
    throw new AppError("conflict", "set up your own second factor first");
  }
  await deps.database.transaction(async (tx) => {
    await tx.setSecondFactorRequired({ id, isRequired });
    const action = isRequired
      ? "workspace.second_factor_required"
      : "workspace.second_factor_optional";
    await recordAudit(deps, tx, action, { id, workspaceId: id });
  });
}

async function renameWorkspace(
  deps: RouteDeps,
  { id, name }: { id: string; name: string },
): Promise<void> {
  await deps.database.transaction(async (tx) => {
    await tx.renameWorkspace({ id, name });
    await recordAudit(deps, tx, "workspace.renamed", { id, workspaceId: id }, { name });
  });
}

async function toCredentialView(
  { database }: DashboardDeps,
  { workspaceId: _, ...credential }: Credential,
): Promise<CredentialView> {
  const appCount = await database.countCredentialUses(credential.id);
  return { ...toJson(credential), appCount };
}
