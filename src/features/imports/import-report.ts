// A report of a file: its reviews are imported into apps that are not collected, one for each app that its rows name.
import type { Container } from "../../app/container.ts";
import type { FileReport, ReportFile } from "../../app/file-report.ts";
import { operate } from "../../app/operate.ts";
import { AppError } from "../../domain/error.ts";
import { type StoreId, storeIds } from "../../domain/store/store-id.ts";
import { addApp } from "../../operations/app.ts";
import { describeReading } from "./describe-reading.ts";
import { readStoreName } from "./files/app-naming.ts";
import { createFieldReader } from "./files/field-reader.ts";
import type { ImportSource } from "./files/import-file.ts";
import { reviewNames } from "./files/import-names.ts";
import { readImportFile } from "./files/import-rows.ts";
import type { ImportResult } from "./import-result.ts";
import { importReviews, importReviewsByApp } from "./operations.ts";

type FileApp = { store: StoreId; externalAppId: string; name: string | null };

const appsMax = 12;

export const importReport: FileReport = async (deps, input) => {
  const { file, workspaceId } = input;
  const apps = await listFileApps(deps, file);
  for (const app of apps) {
    const values = { ...app, isCollected: false };
    await operate(deps, addApp, { actor: "report", workspaceId, values });
  }
  const added = await deps.database.listApps({ workspaceId });
  const answers = { makesIds: true, confirm: async () => true };
  const onProgress = (rowCount: number, step: "reading" | "importing"): void =>
    input.onProgress(`${step} ${file.name}: ${rowCount.toLocaleString("en")} rows …`);
  const values = { source: openSource(file), notify: false, onProgress, ...answers };
  const [only] = added.length === 1 ? added : [];
  const installation = { ...deps, loadIngest: async () => deps };
  const { result } = only
    ? await operate(installation, importReviews, { actor: "report", id: only.id, values })
    : await operate(installation, importReviewsByApp, { actor: "report", id: workspaceId, values });
  return describeResult(file, result);
};

function describeResult({ name }: ReportFile, result: ImportResult): string[] {
  const { inserted, updated, unchanged, rejected, rejectedCount, stopped } = result;
  const [first] = rejected;
  const reason = first ? `line ${first.line}: ${first.reason}` : "it has no rows";
  if (inserted + updated + unchanged === 0)
    throw new AppError("invalid_input", `${name} has no review that can be read: ${reason}`);
  const lines = result.reading ? describeReading(result.reading) : [];
  return [
    `${name} was read like this. ${lines.join("; ")}.`,
    ...(rejectedCount > 0 ? [`${rejectedCount} rows of ${name} were left out (${reason}).`] : []),
    ...(stopped ? [`${name} was read only in part: ${stopped.reason}.`] : []),
  ];
}

function openSource({ name, bytes }: ReportFile): ImportSource {
  const chunks = {
    async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array> {
      yield bytes;
    },
  };
  return { name, chunks, isRepeatable: true };
}

/** By the columns that exports have for the app; a file without them is one app, named after the file. */
async function listFileApps({ stores }: Container, file: ReportFile): Promise<FileApp[]> {
  const { rows } = await readImportFile(openSource(file));
  const readFields = createFieldReader(reviewNames);
  const apps = new Map<string, FileApp>();
  const storesOf = (id: string) => storeIds.filter((store) => stores[store].validateAppId(id).ok);
  for await (const row of rows) {
    const { statements } = "fields" in row ? readFields(row.fields) : { statements: [] };
    const find = (...names: string[]) =>
      statements.find(({ name }) => names.includes(name))?.statement.value ?? null;
    const externalAppId = find("externalappid", "packagename", "appid");
    const owners = storesOf(externalAppId ?? "");
    const named = readStoreName(find("store") ?? "");
    const store = owners.find((one) => one === named) ?? owners[0];
    if (externalAppId === null || store === undefined) continue;
    apps.set(externalAppId, { store, externalAppId, name: find("appname") });
    if (apps.size > appsMax)
      throw new AppError("invalid_input", `${file.name} has reviews of more than ${appsMax} apps`);
  }
  if (apps.size > 0) return [...apps.values()];
  const externalAppId = "imported.reviews";
  const [store] = storesOf(externalAppId);
  return store ? [{ store, externalAppId, name: file.name }] : [];
}
