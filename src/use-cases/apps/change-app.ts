// Changes what a workspace follows of an app: its name, storefronts and languages. New regions are read
// from the beginning; those without followers are no longer read.
import type { z } from "zod";
import { AppError } from "../../domain/error.ts";
import { type App, appInputSchema } from "../../domain/listing.ts";
import { assertId, notFound, parseInput } from "../../domain/validation-errors.ts";
import { type ActDeps, recordAudit } from "../audit.ts";
import { chooseRegions, syncFeeds } from "./app-regions.ts";
import { lockApp } from "./apps.ts";

/** Omitted fields stay as they are. */
const changeSchema = appInputSchema
  .pick({ name: true, countries: true, languages: true })
  .partial();

/** @throws AppError `invalid_input`, `not_found`, or `conflict` when the app only holds imports */
export async function changeApp(
  deps: ActDeps<"notify">,
  input: { id: string; workspaceId: string; change: z.input<typeof changeSchema> },
): Promise<{ app: App; warning: string | null }> {
  const { id, workspaceId, change } = input;
  assertId("id", id);
  const { name, countries = null, languages = null } = parseInput(changeSchema, change);
  const changesRegions = countries !== null || languages !== null;
  const result = await deps.database.transaction(async (tx) => {
    const { app, listing } = await lockApp(tx, { id, workspaceId });
    const feeds = changesRegions ? await tx.listFeeds(listing.id) : null;
    if (feeds?.length === 0)
      throw new AppError("conflict", "nothing is collected for this app: it only holds imports");
    const { regions, warnings } = chooseRegions(app.store, { countries, languages });
    await tx.updateApp({
      id,
      workspaceId,
      name,
      countries: countries === null ? app.countries : regions.countries,
      languages: languages === null ? app.languages : regions.languages,
    });
    if (changesRegions) await syncFeeds(tx, { listing, now: deps.clock.now() });
    await recordAudit(deps, tx, "app.updated", app, { changed: Object.keys(change) });
    const saved = await tx.findApp({ id, workspaceId });
    if (!saved) throw notFound("app", id);
    return { app: saved, warnings };
  });
  await deps.database.notify("feeds");
  const { app, warnings } = result;
  return { app, warning: warnings.length > 0 ? warnings.join("; ") : null };
}
