// Runs the MCP server on a pair of streams until its client closes them or the process is stopped.
import type { Readable, Writable } from "node:stream";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import { createClient } from "../../sdk/src/client.ts";
import { createMcpServer } from "./mcp-server.ts";

// An assistant's user waits: better an answer that says "rate limited" than a minute of silence.
const waitMaxMs = 5_000;

/** @throws TypeError for a URL that can't be one */
export async function serveMcp(options: {
  baseUrl: string;
  apiKey: string;
  stdin: Readable;
  stdout: Writable;
  stopped: Promise<void>;
}): Promise<void> {
  const { baseUrl, apiKey, stdin, stdout, stopped } = options;
  const client = createClient({ baseUrl, apiKey, waitMaxMs });
  const server = createMcpServer(client);
  const ended = new Promise<void>((resolve) => {
    stdin.once("end", resolve);
    stdin.once("close", resolve);
  });
  await server.connect(new StdioServerTransport(stdin, stdout));
  await Promise.race([ended, stopped]);
  await server.close();
}
