// The route of the dashboard that takes a file of reviews. Its answer has a line of JSON now and then, and its result in the last.
import type { Json, Route } from "../../dashboard-api/contract/route.ts";
import type { ImportResult } from "./import-result.ts";
import type { importQuery } from "./import-upload.ts";

export type ImportedFile = Json<ImportResult>;
export type ImportLine = { rowCount: number } | { result: ImportedFile };

export type ImportRoutes = {
  "POST /workspaces/:workspace/apps/:app/import": Route<ReadableStream, never, typeof importQuery>;
};
