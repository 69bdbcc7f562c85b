// The baseline of Node: a bare server that sends the same bytes from memory.
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

process.once("message", ({ body }: { body: string }) => {
  const bytes = Buffer.from(body);
  const headers = { "Content-Type": "application/json", "Content-Length": bytes.length };
  const server = createServer((_request, response) => {
    response.writeHead(200, headers);
    response.end(bytes);
  });
  server.listen(0, "127.0.0.1", () => {
    process.send?.({ port: (server.address() as AddressInfo).port });
  });
  process.once("disconnect", () => process.exit(0));
});
