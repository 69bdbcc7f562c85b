// A report of a file: its reviews are imported into apps that are not collected, one for each app that its rows name.
import type { Container } from "../app/container.ts";
import { operate } from "../app/operate.ts";
import { AppError } from "../domain/error.ts";
import { createFieldReader } from "../domain/field-reader.ts";
import { reviewNames } from "../domain/import-names.ts";
import { type StoreId, storeIds } from "../domain/store-id.ts";
import { addApp } from "../operations/app.ts";
import type { ImportSource } from "../use-cases/imports/import-file.ts";
import type { ImportResult } from "../use-cases/imports/import-result.ts";
import { importReviews, importReviewsOfApps } from "../use-cases/imports/import-reviews.ts";
import { readImportFile } from "../use-cases/imports/import-rows.ts";

export type ReportFile = { name: string; bytes: Uint8Array };
type FileApp = { store: StoreId; externalAppId: string; name: string | null };

const appsMax = 12;

/**
 * @returns what could not be imported, in sentences
 * @throws AppError `invalid_input` for a file without reviews
 */
export async function importReport(
  deps: Container,
  { file, workspaceId }: { file: ReportFile; workspaceId: string },
): Promise<string[]> {
  const apps = await listFileApps(deps, file);
  for (const app of apps) {
    const values = { ...app, isCollected: false };
    await operate(deps, addApp, { actor: "report", workspaceId, values });
  }
  const added = await deps.database.listApps({ workspaceId });
  const input = { source: openSource(file), workspaceId, notify: false, makesIds: true };
  const [only] = added.length === 1 ? added : [];
  const result = only
    ? await importReviews(deps, { ...input, appId: only.id })
    : await importReviewsOfApps(deps, input);
  return describeResult(file, result);
}

function describeResult({ name }: ReportFile, result: ImportResult): string[] {
  const { inserted, updated, unchanged, rejected, rejectedCount, stopped } = result;
  const [first] = rejected;
  const reason = first ? `line ${first.line}: ${first.reason}` : "it has no rows";
  if (inserted + updated + unchanged === 0)
    throw new AppError("invalid_input", `${name} has no review that can be read: ${reason}`);
  return [
    ...(rejectedCount > 0 ? [`${rejectedCount} rows of ${name} were left out (${reason}).`] : []),
    ...(stopped ? [`${name} was read only in part: ${stopped.reason}.`] : []),
  ];
}

function openSource({ name, bytes }: ReportFile): ImportSource {
  async function* once(): AsyncGenerator<Uint8Array> {
    yield bytes;
  }
  return { name, chunks: once() };
}

/** By the columns that exports have for the app; a file without them is one app, named after the file. */
async function listFileApps({ stores }: Container, file: ReportFile): Promise<FileApp[]> {
  const { rows } = await readImportFile(openSource(file));
  const readFields = createFieldReader(reviewNames);
  const apps = new Map<string, FileApp>();
  for await (const row of rows) {
    const { statements } = "fields" in row ? readFields(row.fields) : { statements: [] };
    const find = (...names: string[]) =>
      statements.find(({ name }) => names.includes(name))?.statement.value ?? null;
    const externalAppId = find("externalappid", "packagename", "appid");
    const store = storeIds.find((id) => stores[id].validateAppId(externalAppId ?? "").ok);
    if (externalAppId === null || store === undefined) continue;
    apps.set(externalAppId, { store, externalAppId, name: find("appname") });
    if (apps.size > appsMax)
      throw new AppError("invalid_input", `${file.name} has reviews of more than ${appsMax} apps`);
  }
  if (apps.size > 0) return [...apps.values()];
  return [{ store: "googleplay", externalAppId: "imported.reviews", name: file.name }];
}
