// Everything that belongs to a workspace, as lines of JSON, for its owner to take along: no secrets, no password
// hashes and no keys, of which only hashes are stored; of a shared listing what the workspace follows of it.
import type { Database } from "../../database/database.ts";
import { readBatches } from "../../lib/read-batches.ts";
import { portableKinds } from "../../use-cases/portable-kinds.ts";
import { requireWorkspace } from "../../use-cases/workspaces/workspaces.ts";
import { exportRatings } from "./export-ratings.ts";
import { exportReviews } from "./export-reviews.ts";

/** `kind` says what it is; the rest are its fields. */
type ExportedLine = { kind: string } & Record<string, unknown>;

const auditMax = 10_000;
const batchSize = 1_000;

/**
 * Batches of lines; write each at once.
 *
 * @throws AppError `invalid_input`, `not_found`, or `conflict` when an app moved meanwhile
 */
export async function* exportWorkspace(
  { database }: { database: Database },
  input: { id: string },
): AsyncGenerator<ExportedLine[]> {
  const workspace = await requireWorkspace(database, { field: "id", id: input.id });
  const workspaceId = workspace.id;
  const scope = { workspaceId };
  yield [{ kind: "workspace", ...workspace }];
  const lists = {
    member: await database.listMembers(workspaceId),
    credential: await database.listCredentials(scope),
    key: await database.listApiKeys(scope),
    channel: await database.listChannels(scope),
    unsubscribed: await database.listUnsubscribed(scope),
    view: await database.listSavedViews(workspaceId),
    audit: await database.listRecentAuditEntries({ workspaceId, limit: auditMax }),
  };
  for (const [kind, list] of Object.entries(lists)) {
    yield list.map((item) => ({ kind, ...item }));
  }
  // Before the reviews: an import must not save again what the store still shows. Some have no row any more.
  type Erased = Awaited<ReturnType<Database["listAllErasedReviews"]>>[number];
  const erased = readBatches(batchSize, (last: Erased | null) =>
    database.listAllErasedReviews({ afterId: last?.reviewId ?? null, limit: batchSize }),
  );
  for await (const batch of erased) yield batch.map((one) => ({ kind: "erased", ...one }));
  const followed = await database.listFollowedApps({ workspaceId, ids: null });
  const regionsOf = new Map(followed.map(({ id, regions }) => [id, regions]));
  for (const { listingId, ...app } of await database.listApps(scope)) {
    yield [{ kind: "app", ...app }];
    const regions = regionsOf.get(app.id) ?? null;
    for await (const batch of exportReviews(database, { appId: app.id, workspaceId, regions })) {
      yield batch.map((review) => ({ kind: "review", appId: app.id, ...review }));
    }
    for await (const batch of exportRatings(database, { ...app, listingId })) {
      yield batch.map((rating) => ({ kind: "rating", appId: app.id, ...rating }));
    }
  }
  // After the reviews: a note may quote one that is erased meanwhile, and ends with it.
  for (const { kind, list } of portableKinds) {
    for await (const batch of list(database, scope)) yield batch.map((item) => ({ kind, ...item }));
  }
  await requireWorkspace(database, { field: "id", id: workspaceId });
}
