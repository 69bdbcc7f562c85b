// Accounts of the workspace at the stores: the dashboard's routes.
import { type DashboardRoute, routesOf } from "../../dashboard-api/dashboard-route.ts";
import type { DashboardDeps } from "../../dashboard-api/deps.ts";
import { toJson } from "../../dashboard-api/show.ts";
import type { Credential } from "../../domain/store/credential.ts";
import type { AccountRoutes, Credential as CredentialView } from "./contract.ts";
import { addCredential, removeCredential } from "./operations.ts";

const { operate, route } = routesOf<AccountRoutes>();

export const accountRoutes: readonly DashboardRoute[] = [
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
