// The baseline of an unchanged page: a bare server that reads one row by its key and answers 304.
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import pg from "pg";

process.once("message", (job: { connection: pg.ClientConfig; etag: string }) => {
  const pool = new pg.Pool({ ...job.connection, max: 10 });
  const statement = { name: "row", text: "select version from apps where id = $1" };
  const server = createServer(async (request, response) => {
    const { rows } = await pool.query({ ...statement, values: [request.url?.slice(1)] });
    if (rows.length !== 1) throw new Error("the row is missing");
    response.writeHead(304, { ETag: job.etag });
    response.end();
  });
  server.listen(0, "127.0.0.1", () => {
    process.send?.({ port: (server.address() as AddressInfo).port });
  });
  process.once("disconnect", () => process.exit(0));
});
