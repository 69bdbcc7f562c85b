// Changes what a workspace follows of an app: its name, storefronts and languages. New regions are read
// from the beginning; those without followers are no longer read.
import type { Database } from "../../database/database.ts";
import { AppError } from "../../domain/error.ts";
import { type App, appInputSchema } from "../../domain/listing.ts";
import { assertId, notFound, parseInput } from "../../domain/validation-errors.ts";
import type { Clock } from "../../lib/clock.ts";
import { recordAudit } from "../audit.ts";
import { chooseRegions, syncFeeds } from "./app-regions.ts";
import { lockApp } from "./apps.ts";

/** Omitted fields stay as they are. */
export type AppChange = {
  /** null: the store's name. */
  name?: string | null | undefined;
  countries?: readonly string[] | undefined;
  languages?: readonly string[] | undefined;
};

const changeSchema = appInputSchema
  .pick({ name: true, countries: true, languages: true })
  .partial();

/** @throws AppError `invalid_input`, `not_found`, or `conflict` when the app only holds imports */
export async function changeApp(
  deps: { clock: Clock; database: Pick<Database, "transaction" | "notify">; actor: string },
  input: { id: string; workspaceId: string; change: AppChange },
): Promise<{ app: App; warning: string | null }> {
  const { id, workspaceId, change } = input;
  assertId("id", id);
  const { name, countries = null, languages = null } = parseInput(changeSchema, change);
  const changesRegions = countries !== null || languages !== null;
  const result = await deps.database.transaction(async (tx) => {
    const { app, listing } = await lockApp(tx, { id, workspaceId });
    const feeds = changesRegions ? await tx.listFeeds(listing.id) : null;
    if (feeds?.length === 0) throw neverCollected();
    const { regions, warnings } = chooseRegions(app.store, { countries, languages });
    await tx.updateApp({
      id,
      workspaceId,
      name,
      countries: countries === null ? app.countries : regions.countries,
      languages: languages === null ? app.languages : regions.languages,
    });
    if (changesRegions) await syncFeeds(tx, { listing, now: deps.clock.now() });
    const detail = { changed: Object.keys(change) };
    await recordAudit(deps, tx, { action: "app.updated", subject: id, workspaceId, detail });
    const saved = await tx.findApp({ id, workspaceId });
    if (!saved) throw notFound("app", id);
    return { app: saved, warnings };
  });
  await deps.database.notify("feeds");
  const { app, warnings } = result;
  return { app, warning: warnings.length > 0 ? warnings.join("; ") : null };
}

function neverCollected(): AppError {
  return new AppError("conflict", "nothing is collected for this app: it only holds imports");
}
