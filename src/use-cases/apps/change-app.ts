// Changes what a workspace follows of an app: its name, storefronts and languages. New ones are read from
// the beginning, what nobody follows any more is not asked for again.
import type { Database } from "../../database/database.ts";
import { AppError } from "../../domain/error.ts";
import type { App } from "../../domain/listing.ts";
import {
  assertId,
  failFields,
  nameLengthMax,
  notFound,
  readName,
} from "../../domain/validation-errors.ts";
import type { Clock } from "../../lib/clock.ts";
import { recordAudit } from "../audit.ts";
import { syncFeeds, parseRegions } from "./app-regions.ts";
import { lockApp } from "./apps.ts";

export type AppChange = {
  /** null: the store's name. */
  name?: string | null | undefined;
  countries?: readonly string[] | undefined;
  languages?: readonly string[] | undefined;
};

export async function changeApp(
  deps: { clock: Clock; database: Pick<Database, "transaction" | "notify">; actor: string },
  given: { id: string; workspaceId: string; change: AppChange },
): Promise<{ app: App; warning: string | null }> {
  const { id, workspaceId, change } = given;
  assertId("id", id);
  const name = readOwnName(change.name);
  const changed = await deps.database.transaction(async (tx) => {
    const { app, listing } = await lockApp(tx, { id, workspaceId });
    const { countries: stated = null, languages: spoken = null } = change;
    const read = parseRegions(app.store, { countries: stated, languages: spoken });
    const isChosen = stated !== null || spoken !== null;
    if (isChosen) {
      failFields(read.faults);
      const regions = await tx.listFeeds(listing.id);
      if (regions.length === 0) throw neverCollected();
    }
    // What was not stated was read as the store's defaults: it stays as it is.
    const countries = stated === null ? app.countries : read.regions.countries;
    const languages = spoken === null ? app.languages : read.regions.languages;
    await tx.updateApp({ id, workspaceId, name, countries, languages });
    if (isChosen) await syncFeeds(tx, { listing, now: deps.clock.now() });
    const detail = { changed: Object.keys(change) };
    await recordAudit(deps, tx, { action: "app.updated", subject: id, workspaceId, detail });
    const kept = await tx.findApp({ id, workspaceId });
    if (!kept) throw notFound("app", id);
    return { app: kept, warnings: read.warnings };
  });
  await deps.database.notify("feeds");
  await deps.database.notify("apps", workspaceId);
  const { app, warnings } = changed;
  return { app, warning: warnings.length > 0 ? warnings.join("; ") : null };
}

function readOwnName(stated: string | null | undefined): string | null | undefined {
  if (stated === undefined || stated === null) return stated;
  const { name, faults } = readName(stated, { field: "name", lengthMax: nameLengthMax });
  failFields(faults);
  return name;
}

function neverCollected(): AppError {
  return new AppError("conflict", "nothing is collected for this app: it only holds imports");
}
