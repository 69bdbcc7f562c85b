// The baseline of the database: the statement of a page on bare connections, at another position each time.

import pg from "pg";
import type { PageQuery } from "../../src/database/reviews/review-page-sql.ts";
import { listReviewPage } from "../../src/database/reviews/review-pages.ts";
import { typeParsers } from "../../src/database/values.ts";

export type PageJob = {
  connection: pg.ClientConfig;
  connectionCount: number;
  query: Pick<PageQuery, "workspaceId" | "apps" | "filters">;
  /** Milliseconds since 1970 of the positions to read after. */
  positions: number[];
  durationMs: number;
};

process.on("message", async (job: PageJob) => {
  const { positions, query } = job;
  const startedAt = performance.now();
  let count = 0;
  const read = async (): Promise<void> => {
    const client = new pg.Client({ ...job.connection, types: typeParsers });
    await client.connect();
    // As the service has it.
    await client.query("set plan_cache_mode = force_generic_plan");
    while (performance.now() - startedAt < job.durationMs) {
      const micros = BigInt(positions[count % positions.length] ?? 0) * 1_000n;
      count += 1;
      const after = { micros, id: query.workspaceId };
      const { last } = await listReviewPage(client, { ...query, after, limit: 50 });
      if (last === null) throw new Error("the page is not full");
    }
    await client.end();
  };
  await Promise.all(Array.from({ length: job.connectionCount }, read));
  process.send?.({ count, seconds: (performance.now() - startedAt) / 1_000 });
});
