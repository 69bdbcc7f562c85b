// GET /reviews/export: all reviews that match, as lines of JSON or CSV. Each row has the cursor behind it, so that a
// broken download goes on where it ended.
import type { z } from "zod";
import { exportedReview } from "../../api/contract.ts";
import { defineEndpoint, type EndpointRequest, RowStream } from "../../api/endpoint.ts";
import { exportParameters, pageSizeMax } from "../../api/parameters.ts";
import {
  addFields,
  listOf,
  readCursor,
  readPage,
  requireOrderOf,
} from "../../api/reviews/endpoint.ts";
import { rowsPerRequest } from "../../api/row-stream.ts";
import { createReviewCsv } from "../../domain/review/review-csv.ts";
import { watchApps } from "../../use-cases/apps/watch-apps.ts";
import { exportReviews } from "./operations.ts";

const contentTypes = { ndjson: "application/x-ndjson", csv: "text/csv" } as const;

type Query = z.infer<typeof exportParameters>;

export const exportEndpoint = defineEndpoint({
  path: "/reviews/export",
  id: "exportReviews",
  tag: "Reviews",
  summary: "Export reviews",
  description: `All reviews that match, newest first, streamed one on a line. One stream at a time for each key; it counts as one request for each ${rowsPerRequest.toLocaleString("en")} rows, and waits while the rate limit is used up. A response that ends early is broken off: go on with the \`cursor\` of its last whole row.`,
  parameters: exportParameters,
  appIdsOf: ({ app }) => app ?? null,
  isTaggedByContent: () => true,
  operation: exportReviews,
  streamTypes: Object.values(contentTypes),
  responseSchema: exportedReview,
  problems: ["invalid_parameter", "invalid_cursor", "app_not_found"],
  async handle(request) {
    // A wrong cursor gets a problem document.
    readCursor(request);
    requireOrderOf(request.query);
    return new RowStream(contentTypes[request.query.format], readRows(request));
  },
});

async function* readRows(question: EndpointRequest<Query>): RowStream["batches"] {
  const { database, workspaceId } = question;
  const { format } = question.query;
  // An import recognizes a review by it.
  const include = [...new Set(["storeId" as const, ...(question.query.include ?? [])])];
  const query = { ...question.query, include, limit: pageSizeMax };
  const ids = question.apps.map(({ id }) => id);
  const assertUnmoved = await watchApps(database, workspaceId, question.apps);
  const csv = createReviewCsv([...csvColumns, ...include, "cursor"]);
  if (format === "csv") yield { text: csv.header, rowCount: 0 };
  for (let after = readCursor(question); ; ) {
    const apps = await database.listFollowedApps({ workspaceId, ids });
    const request = { ...question, query, apps };
    const { page } = await readPage(request, after);
    const rows = (await addFields(request, page.reviews)).map(({ json, ...position }) => {
      const cursor = question.cursors.encode(position, listOf(question));
      const line = `${json.slice(0, -1)},"cursor":"${cursor}"}`;
      return format === "csv" ? csv.formatLine(JSON.parse(line)) : `${line}\n`;
    });
    await assertUnmoved();
    yield { text: rows.join(""), rowCount: rows.length };
    if (page.last === null) return;
    after = page.last;
  }
}

const csvColumns =
  "id store externalAppId author rating title text translatedText translatedFrom version country date sentiment sentimentScore topics".split(
    " ",
  );
