// Settings of a workspace: its name, the state of the providers, and its store credentials.
import type { Credential } from "../../domain/credential.ts";
import { listProviders } from "../../use-cases/analysis/providers.ts";
import { recordAudit } from "../../use-cases/audit.ts";
import { addCredential, removeCredential } from "../../use-cases/credentials/credentials.ts";
import { requireWorkspace } from "../../use-cases/members/workspaces.ts";
import { newCredential, workspaceChange } from "../contract/requests.ts";
import type { Credential as CredentialView, Workspace } from "../contract/settings.ts";
import {
  type ActorContext,
  type DashboardRoute,
  largeBodyBytesMax,
  route,
} from "../dashboard-route.ts";
import type { DashboardDeps } from "../deps.ts";
import { show } from "../show.ts";

const providerFields = [
  "kind",
  "provider",
  "status",
  "goodAt",
  "restsUntil",
  "usedToday",
  "dayMax",
  "unit",
] as const;

export const settingsRoutes: readonly DashboardRoute[] = [
  route("GET /workspaces/:workspace/settings", {
    access: "member",
    async handle({ deps, workspace, workspaceId }) {
      const providers = await listProviders(deps, deps.providers);
      return {
        workspace: await getWorkspaceView(deps, workspaceId),
        role: workspace.role,
        providers: providers.map((one) => show(one, providerFields)),
      };
    },
  }),
  route("PATCH /workspaces/:workspace/settings", {
    access: "owner",
    body: workspaceChange,
    async handle({ deps, actorContext, workspaceId, body }) {
      await renameWorkspace(actorContext, { id: workspaceId, name: body.name });
      return { workspace: await getWorkspaceView(deps, workspaceId) };
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
  route("POST /workspaces/:workspace/credentials", {
    access: "owner",
    isSensitive: true,
    limits: [{ perMinute: 10, by: "workspace" }],
    bodyBytesMax: largeBodyBytesMax,
    body: newCredential,
    async handle({ deps, actorContext, workspaceId, body }) {
      const credential = await addCredential(actorContext, { ...body, workspaceId });
      return { credential: await toCredentialView(deps, credential) };
    },
  }),
  route("DELETE /workspaces/:workspace/credentials/:credential", {
    access: "owner",
    isSensitive: true,
    async handle({ actorContext, workspaceId, params }) {
      await removeCredential(actorContext, { id: params.credential, workspaceId });
    },
  }),
];

async function renameWorkspace(
  actorContext: ActorContext,
  { id, name }: { id: string; name: string },
): Promise<void> {
  await actorContext.database.transaction(async (tx) => {
    await tx.renameWorkspace({ id, name });
    const entry = { action: "workspace.renamed", subject: id, workspaceId: id, detail: { name } };
    await recordAudit(actorContext, tx, entry);
  });
}

async function getWorkspaceView({ database }: DashboardDeps, id: string): Promise<Workspace> {
  const workspace = await requireWorkspace(database, { field: "workspace", id });
  return show(workspace, ["id", "name", "plan", "createdAt"]);
}

async function toCredentialView(
  { database }: DashboardDeps,
  credential: Credential,
): Promise<CredentialView> {
  const appCount = await database.countCredentialUses(credential.id);
  return { ...show(credential, ["id", "store", "name", "subject", "createdAt"]), appCount };
}
