// Takes back what `export workspace` wrote, into an installation that does not have the workspace: apps on listings of their
// own with reviews and ratings, views, and the lines of features, all under the same ids. Secrets are in no export, so
// members, channels, keys and credentials are counted and left out. Row by row: memory does not depend on the file.
import { z } from "zod";
import type { Database, DatabaseTransaction } from "../../database/database.ts";
import { destinationLimits } from "../../domain/channel/channel-destination.ts";
import { AppError } from "../../domain/error.ts";
import { idSchema, nameLengthMax, nameSchema, oneOfSchema } from "../../domain/fields.ts";
import { workspaceInputSchema } from "../../domain/people/workspace.ts";
import { savedViewSchema, viewLimits } from "../../domain/review/saved-view.ts";
import { storeIds } from "../../domain/store/store-id.ts";
import { errorCode } from "../../lib/errors.ts";
import { uuidV7 } from "../../lib/uuid.ts";
import { syncFeeds } from "../../use-cases/apps/app-regions.ts";
import { portableKinds } from "../../use-cases/portable-kinds.ts";
import { type ImportRow, type ImportSource, unreadableFile } from "./files/import-file.ts";
import { describeRowErrors } from "./files/import-row.ts";
import { readImportFile } from "./files/import-rows.ts";
import type { ImportReviewsDeps } from "./import-batches.ts";
import { type ImportRatingsDeps, importRatings } from "./import-ratings.ts";
import { type ImportResult, rejectRow } from "./import-result.ts";
import { importOwnExport } from "./import-reviews.ts";

type ImportWorkspaceDeps = ImportReviewsDeps &
  ImportRatingsDeps & { database: Pick<Database, "findWorkspace" | "notify"> };

export type ImportWorkspaceInput = {
  source: ImportSource;
  onProgress?: (rowCount: number) => void;
};

/** Rows by kind, and the faults of all of them by the lines of the file. */
type WorkspaceImport = Pick<ImportResult, "rejected" | "rejectedCount"> & {
  id: string;
  imported: Record<string, number>;
  leftOut: Record<string, number>;
};

const time = z.iso.datetime().transform((text) => new Date(text));
const regions = z.array(z.string().max(20)).max(500);
const { viewsMax } = viewLimits;

const workspaceLine = workspaceInputSchema.extend({ id: idSchema, createdAt: time });

type Scope = { deps: ImportWorkspaceDeps; workspaceId: string; now: Date };

/** Saves one line of a kind, in a transaction of its own. */
type Save = (tx: DatabaseTransaction, scope: Scope) => Promise<unknown>;

function lineOf<Line>(
  schema: z.ZodType<Line>,
  save: (tx: DatabaseTransaction, line: Line & { workspaceId: string }, scope: Scope) => unknown,
): z.ZodType<Save> {
  return schema.transform((line): Save => {
    return async (tx, scope) => save(tx, { ...line, workspaceId: scope.workspaceId }, scope);
  });
}

const appLine = z.object({
  id: idSchema,
  name: nameSchema(),
  store: oneOfSchema(storeIds),
  externalAppId: z
    .string()
    .max(nameLengthMax)
    .regex(/^\w[\w.]*$/, "is not the id of an app"),
  iconUrl: z.string().max(2_048),
  countries: regions,
  languages: regions,
  addedAt: time,
});
const viewLine = savedViewSchema.extend({ id: idSchema }).strip();
const erasedLine = z.object({ reviewId: idSchema, erasedAt: time });
const unsubscribedLine = z.object({
  address: z.string().max(destinationLimits.addressMax),
  changedAt: time,
});
const kinds: Readonly<Record<string, z.ZodType<Save>>> = {
  erased: lineOf(erasedLine, (tx, erased) => tx.insertErasedReview(erased)),
  unsubscribed: lineOf(unsubscribedLine, (tx, { changedAt: now, ...line }) =>
    tx.setEmailRecipient({ ...line, now, state: "unsubscribed", isOwnAnswer: true }),
  ),
  app: lineOf(appLine, insertApp),
  view: lineOf(viewLine, async (tx, view, { workspaceId, now: createdAt }) => {
    const known = await tx.listSavedViews(workspaceId);
    return known.length < viewsMax && tx.saveView({ ...view, createdAt });
  }),
};

function findKind(kind: string): z.ZodType<Save> | undefined {
  if (Object.hasOwn(kinds, kind)) return kinds[kind];
  const found = portableKinds.find((one) => one.kind === kind);
  return found && lineOf(found.schema, found.save);
}

/** A person makes these anew. */
const leftOutKinds = ["member", "credential", "key", "channel", "audit"];

/** @throws AppError `invalid_input` for another file, `conflict` when the workspace exists */
export async function importWorkspace(
  outside: ImportWorkspaceDeps,
  input: ImportWorkspaceInput & {
    /** The dependencies that save the workspace of the file; `outside` by default. */
    openWorkspace?(workspace: { id: string; name: string }): ImportWorkspaceDeps;
  },
): Promise<WorkspaceImport> {
  const rows = (await readImportFile(input.source)).rows[Symbol.asyncIterator]();
  let next = await rows.next();
  const { openWorkspace = () => outside } = input;
  const workspace = readWorkspace(next.done ? undefined : next.value);
  const deps = openWorkspace(workspace);
  const scope = await insertWorkspace(deps, workspace);
  const { workspaceId: id } = scope;
  const result: WorkspaceImport = {
    id,
    imported: {},
    leftOut: {},
    rejected: [],
    rejectedCount: 0,
  };
  const apps = new Set<string>();
  let rowCount = 1;
  const advance = async (): Promise<void> => {
    next = await rows.next();
    rowCount += 1;
    if (rowCount % 1_000 === 0) input.onProgress?.(rowCount);
  };
  await advance();
  while (!next.done) {
    const row: ImportRow = next.value;
    const { kind, appId } = keysOf(row);
    const isPart = kind === "review" || kind === "rating";
    if (isPart && apps.has(appId)) {
      // Those of one app come one after the other: together they are a file to import into it.
      async function* lines(): AsyncGenerator<Uint8Array> {
        for (; !next.done; await advance()) {
          const keys = keysOf(next.value);
          if (keys.kind !== kind || keys.appId !== appId) return;
          if ("fields" in next.value) yield Buffer.from(`${JSON.stringify(next.value.fields)}\n`);
        }
      }
      const source = { name: "export.jsonl", chunks: lines() };
      const part = { appId, workspaceId: id, source };
      const imported = await (kind === "rating" ? importRatings : importOwnExport)(deps, part);
      addPart(result, { kind, row, part: imported });
      continue;
    }
    const reason =
      "reason" in row ? row.reason : await saveRow(scope, { kind, fields: row.fields, result });
    if (reason !== null) rejectRow(result, { line: row.line, reason });
    else if (kind === "app" && "fields" in row) apps.add(String(row.fields["id"]));
    await advance();
  }
  await deps.database.notify("feeds");
  await deps.database.notify("topics");
  return result;
}

function keysOf(row: ImportRow): { kind: string; appId: string } {
  const { kind, appId } = "fields" in row ? row.fields : {};
  return { kind: String(kind), appId: String(appId) };
}

/** @throws AppError `invalid_input` */
function readWorkspace(row: ImportRow | undefined): z.output<typeof workspaceLine> {
  const isFirst = row && "fields" in row && row.fields["kind"] === "workspace";
  const { data: workspace } = workspaceLine.safeParse(isFirst ? row.fields : null);
  if (workspace) return workspace;
  throw unreadableFile("its first line is not a workspace, as export workspace writes it");
}

async function insertWorkspace(
  deps: ImportWorkspaceDeps,
  workspace: z.output<typeof workspaceLine>,
): Promise<Scope> {
  const { id, name } = workspace;
  if (await deps.database.findWorkspace(id)) {
    throw new AppError("conflict", `this installation has the workspace ${name} already (${id})`);
  }
  await deps.database.transaction((tx) => tx.insertWorkspace(workspace));
  return { deps, workspaceId: id, now: deps.clock.now() };
}

/** PostgreSQL's code for an id that exists. */
const uniqueViolation = "23505";

/** Collected from now on, by the storefronts and languages that it followed. */
async function insertApp(
  tx: DatabaseTransaction,
  app: z.infer<typeof appLine> & { workspaceId: string },
  { now }: Scope,
): Promise<void> {
  const { id, name, workspaceId, store, externalAppId, iconUrl } = app;
  const source = { store, externalAppId, workspaceId };
  const listing = await tx.ensureListing({ id: uuidV7(now), ...source, now });
  if (!(await tx.insertApp({ ...app, listingId: listing.id }))) {
    throw new AppError("conflict", `this installation has the app ${name} already (${id})`);
  }
  await tx.saveListingDetails({ id: listing.id, name, iconUrl });
  await syncFeeds(tx, { listing, now });
}

/** Why the row was rejected; null when it was saved or left out. */
async function saveRow(
  { deps, ...scope }: Scope,
  { kind, fields, result }: { kind: string; fields: object; result: WorkspaceImport },
): Promise<string | null> {
  if (leftOutKinds.includes(kind)) {
    count(result.leftOut, kind);
    return null;
  }
  if (kind === "review" || kind === "rating") return "its app is not in the file";
  const schema = findKind(kind);
  if (!schema) return "the line is of no kind that an export has";
  const parsed = schema.safeParse(fields);
  if (!parsed.success) return describeRowErrors(parsed.error);
  const taken = "this installation has it already, or the workspace as many as it can have";
  try {
    const saved = await deps.database.transaction((tx) => parsed.data(tx, { deps, ...scope }));
    if (saved === false) return taken;
  } catch (error) {
    if (error instanceof AppError && error.code === "conflict") return error.message;
    if (errorCode(error) === uniqueViolation) return taken;
    throw error;
  }
  count(result.imported, kind);
  return null;
}

function count(counts: Record<string, number>, kind: string, added = 1): void {
  counts[kind] = (counts[kind] ?? 0) + added;
}

/** The lines of a part count from its first one. */
function addPart(
  result: WorkspaceImport,
  { kind, row, part }: { kind: string; row: ImportRow; part: ImportResult },
): void {
  if (part.stopped) throw new AppError("unavailable", part.stopped.reason);
  count(result.imported, kind, part.inserted + part.updated + part.unchanged);
  for (const { line, reason } of part.rejected) {
    rejectRow(result, { line: row.line + line - 1, reason });
  }
  // Those of which there is no reason.
  result.rejectedCount += part.rejectedCount - part.rejected.length;
}
