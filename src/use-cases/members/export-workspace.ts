// Everything that belongs to a workspace, as lines of JSON, for its owner to take along: no secrets, no password
// hashes and no keys, of which only hashes are stored.
import type { Database } from "../../database/database.ts";
import { exportReviews } from "../imports/export-reviews.ts";
import { requireWorkspace } from "./workspaces.ts";

/** `kind` says what it is; the rest are its fields. */
export type ExportedLine = { kind: string } & Record<string, unknown>;

const auditMax = 10_000;

/** @throws AppError `invalid_input` or `not_found` */
export async function* exportWorkspace(
  database: Pick<
    Database,
    | "findApp"
    | "findWorkspace"
    | "listApiKeys"
    | "listApps"
    | "listChannels"
    | "listCredentials"
    | "listMembers"
    | "listOwnTopics"
    | "listOwnTopicsOfReviews"
    | "listRecentAuditEntries"
    | "listReviewsById"
    | "loadReviewVersions"
  >,
  input: { id: string },
): AsyncGenerator<ExportedLine> {
  const workspace = await requireWorkspace(database, { field: "id", id: input.id });
  const workspaceId = workspace.id;
  const scope = { workspaceId };
  yield { kind: "workspace", ...workspace };
  const lists = {
    member: await database.listMembers(workspaceId),
    credential: await database.listCredentials(scope),
    key: await database.listApiKeys(scope),
    channel: await database.listChannels(scope),
    topic: await database.listOwnTopics(scope),
    audit: await database.listRecentAuditEntries({ workspaceId, limit: auditMax }),
  };
  for (const [kind, list] of Object.entries(lists)) {
    for (const item of list) yield { kind, ...item };
  }
  for (const app of await database.listApps(scope)) {
    yield { kind: "app", ...app };
    for await (const review of exportReviews(database, { appId: app.id, workspaceId })) {
      yield { kind: "review", appId: app.id, ...review };
    }
  }
}
