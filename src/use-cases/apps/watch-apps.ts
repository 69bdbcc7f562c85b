// Notices when an app that a long reader reads moves to another listing, loses a region or is unfollowed: its further
// pages would silently lack reviews.
import type { Database } from "../../database/database.ts";
import { AppError } from "../../domain/error.ts";
import type { App } from "../../domain/feed/listing.ts";

/** @returns a check, to be made behind each page, that throws AppError `conflict` when an app is no longer as it was */
export async function watchApps(
  database: Pick<Database, "listApps">,
  workspaceId: string,
  apps: readonly Pick<App, "id" | "listingId" | "name">[],
): Promise<() => Promise<void>> {
  const readApps = async () =>
    new Map((await database.listApps({ workspaceId })).map((app) => [app.id, app]));
  const before = await readApps();
  return async () => {
    const now = await readApps();
    const changed = apps.find(
      ({ id, listingId }) =>
        now.get(id)?.listingId !== listingId || !hasRegions(now.get(id), before.get(id)),
    );
    if (!changed) return;
    const message = `${changed.name} was unfollowed, moved or lost a storefront or language meanwhile`;
    throw new AppError("conflict", message);
  };
}

function hasRegions(now: App | undefined, before: App | undefined): boolean {
  return (
    before?.countries.every((country) => now?.countries.includes(country)) === true &&
    before.languages.every((language) => now?.languages.includes(language))
  );
}
