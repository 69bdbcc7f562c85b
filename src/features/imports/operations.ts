// Files that an operator imports: reviews and daily ratings of an app, reviews of several apps, and whole workspaces.
import { z } from "zod";
import type { App } from "../../domain/feed/listing.ts";
import { type Delay, systemDelay } from "../../lib/delay.ts";
import { appNoun } from "../../operations/app.ts";
import { eraseReview } from "../../operations/erase-review.ts";
import {
  type WorkContext,
  type WorkEntry,
  work,
  workOfCreation,
} from "../../operations/long-work.ts";
import { workspaceNoun } from "../../operations/workspace.ts";
import { MissingColumnsError } from "./files/import-file.ts";
import { emptyResult, type ImportInput, type ImportResult } from "./import-result.ts";
import type { ImportOptions } from "./import-reviews.ts";
import { importResultSchema } from "./import-schema.ts";
import { importUpload, takeSlot } from "./import-upload.ts";
import type { ImportWorkspaceInput } from "./import-workspace.ts";

const operator = { role: null } as const;
type InputOwner = "appId" | "workspaceId";

// Loaded late: they bring the analysis, which no other operation needs.
const loadReviews = () => import("./import-reviews.ts");
const loadRatings = () => import("./import-ratings.ts");
const loadWorkspace = () => import("./import-workspace.ts");

export const importReviews = work(appNoun, {
  role: "member",
  scope: "manage",
  limits: [{ perMinute: 30, by: "workspace" }],
  verb: "import-reviews",
  summary: "Import a file of reviews",
  description:
    "The body is the file: CSV, JSON or JSONL, at most 200 MB, of which a JSON document may have 16. The answer says how it was read. Send it with `dryRun=true` first. The same file again changes nothing, also after a connection that was cut.",
  file: importUpload,
  output: { operationId: "importReviews", schema: importResultSchema },
  audit: "reviews.imported",
  // Neither a stream nor a function for progress has a schema: the door has checked the rest.
  schema: z.custom<Omit<ImportInput, InputOwner> & ImportOptions>(),
  async work(context, { input, before: app }) {
    const run = () => importIntoApp(context, { input, app });
    return input.signal ? takeSlot(app.workspaceId, run) : run();
  },
});

async function importIntoApp(
  context: WorkContext,
  { input, app }: { input: Omit<ImportInput, InputOwner> & ImportOptions; app: App },
): Promise<ImportResult> {
  const entry = context.open(app);
  const { id: appId, workspaceId } = app;
  const deps = { ...(await depsOf(context, entry)), ...failuresOf(context, input) };
  const use = await loadReviews();
  try {
    const result = await use.importReviews(deps, { ...input, appId, workspaceId });
    await entry.end(countsOf(result));
    return result;
  } catch (error) {
    if (!(input.signal && input.isTrial && error instanceof MissingColumnsError)) throw error;
    const { missing: fields, columns } = error;
    return { ...emptyResult(), missing: { fields, columns }, stopped: { reason: error.message } };
  }
}

/** At a door, a client that goes away ends the import, and the details of a bug are for the log alone. */
function failuresOf({ deps: { log } }: WorkContext, { signal }: Pick<ImportOptions, "signal">) {
  if (!signal) return {};
  const delay: Delay = (durationMs) => systemDelay(durationMs, signal);
  const describeFailure = (error: unknown): string => {
    log.error({ err: error }, "an import failed");
    return "internal error; see the service's log";
  };
  return { delay, describeFailure };
}

/** Each row into the app of the workspace that it names, with an entry for each app. */
export const importReviewsByApp = work(workspaceNoun, {
  ...operator,
  verb: "import-reviews",
  summary: "Import a file of reviews of several apps",
  audit: "reviews.imported",
  schema: z.custom<Omit<ImportInput, InputOwner> & ImportOptions>(),
  async work(context, { input, before: { id: workspaceId } }) {
    const entries = new Map<string, WorkEntry>();
    const deps = await depsOf(context, context);
    const openApp = (app: App) => {
      const entry = context.open(app);
      entries.set(app.id, entry);
      return { ...deps, database: entry.database };
    };
    const use = await loadReviews();
    const result = await use.importReviewsOfApps(deps, { ...input, workspaceId, openApp });
    for (const { id, ...counts } of result.apps ?? []) await entries.get(id)?.end(countsOf(counts));
    return result;
  },
});

export const importRatings = work(appNoun, {
  ...operator,
  verb: "import-ratings",
  summary: "Import a file of daily ratings",
  audit: "ratings.imported",
  schema: z.custom<Omit<ImportInput, InputOwner>>(),
  async work(context, { input, before: app }) {
    const entry = context.open(app);
    const { id: appId, workspaceId } = app;
    const use = await loadRatings();
    const result = await use.importRatings(await depsOf(context, entry), {
      ...input,
      appId,
      workspaceId,
    });
    await entry.end(countsOf(result));
    return result;
  },
});

export const importWorkspace = workOfCreation(workspaceNoun, {
  ...operator,
  verb: "import",
  summary: "Import what an export of a workspace wrote",
  audit: "workspace.imported",
  schema: z.custom<ImportWorkspaceInput>(),
  async work(context, { input }) {
    const deps = await depsOf(context, context);
    let entry: WorkEntry | null = null;
    const openWorkspace = ({ id, name }: { id: string; name: string }) => {
      entry = context.open({ id, workspaceId: id, name });
      return { ...deps, database: entry.database };
    };
    const use = await loadWorkspace();
    const ended = await use.importWorkspace(deps, { ...input, openWorkspace });
    const { imported, leftOut, rejectedCount } = ended;
    await (entry as WorkEntry | null)?.end({ imported, leftOut, rejectedCount });
    return ended;
  },
});

async function depsOf(
  { deps, ...context }: WorkContext,
  { database }: Pick<WorkEntry, "database">,
) {
  if (!deps.loadIngest) throw new Error("this door imports nothing");
  return {
    ...(await deps.loadIngest()),
    clock: deps.clock,
    database,
    /** Reviews that were erased where the file was written. */
    eraseReview: ({ appId: id, reviewId }: { appId: string; reviewId: string }) =>
      context.change(eraseReview, { id, input: { reviewId } }),
  };
}

function countsOf({
  inserted,
  updated,
  stopped,
}: Pick<ImportResult, "inserted" | "updated" | "stopped">): Record<string, unknown> {
  return { inserted, updated, ...(stopped && { stopped: stopped.reason }) };
}
