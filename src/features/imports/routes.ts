// A file of reviews that a member drops on the page of an app.
import { type DashboardRoute, routesOf } from "../../dashboard-api/dashboard-route.ts";
import { toJson } from "../../dashboard-api/show.ts";
import { answerLongWork } from "../../http/long-answer.ts";
import type { ImportLine, ImportRoutes } from "./contract.ts";
import type { ImportResult } from "./import-result.ts";
import { importQuery, importUpload, toImport } from "./import-upload.ts";
import { importReviews } from "./operations.ts";

const { operate } = routesOf<ImportRoutes>();

export const importRoutes: readonly DashboardRoute[] = [
  operate("POST /workspaces/:workspace/apps/:app/import", importReviews, undefined, {
    query: importQuery,
    async answerLong({ openUpload, query: { dryRun = false, ...fields }, signal }, run) {
      const upload = openUpload(importUpload.bytesMax);
      const { chunks } = upload;
      try {
        return await answerLongWork<ImportResult>({
          async run(send) {
            const onProgress = (rowCount: number) => send(toLine({ rowCount }));
            const file = { chunks, signal, isTrial: dryRun, onProgress };
            return (await run(toImport(fields, file))).result as ImportResult;
          },
          toText: (result) => toLine({ result: toJson(result) }),
          headers: { "Content-Type": "application/x-ndjson" },
        });
      } catch (error) {
        await upload.drain();
        throw error;
      }
    },
  }),
];

function toLine(line: ImportLine): string {
  return `${JSON.stringify(line)}\n`;
}
