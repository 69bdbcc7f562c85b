// Accounts of the workspace at the stores: the dashboard's routes.
import type { Carries, Nothing, Owned, Route } from "../../dashboard-api/contract/route.ts";
import type { Credential as CredentialRow } from "../../domain/store/credential.ts";
import type { addCredential } from "./operations.ts";

/** Its secret is never shown again. */
export type Credential = Owned<CredentialRow> & {
  /** Apps that are read through it. */
  appCount: number;
};

export type AccountRoutes = {
  /** Owner. */
  "GET /workspaces/:workspace/credentials": Route<{ credentials: Credential[] }>;
  /** Owner. */
  "POST /workspaces/:workspace/credentials": Carries<
    { credential: Credential },
    typeof addCredential
  >;
  /** Owner. 409 while apps are read through it. */
  "DELETE /workspaces/:workspace/credentials/:credential": Route<Nothing>;
};
