// The MCP server over HTTP, without sessions: each POST is answered by a server of its own, as JSON.
import { WebStandardStreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js";
import { createClient } from "../../sdk/src/client.ts";
import { createMcpServer } from "./mcp-server.ts";

/** `message` is the parsed body; `fetch` reaches the read API of this service, where each call counts against the key's limit. */
export async function answerMcp(
  request: Request,
  { message: parsedBody, ...access }: { message: unknown; apiKey: string; fetch: typeof fetch },
): Promise<Response> {
  const { origin: baseUrl } = new URL(request.url);
  // The assistant's user waits: it learns at once that the limit is used up.
  const server = createMcpServer(createClient({ ...access, baseUrl, retriesMax: 0 }));
  const transport = new WebStandardStreamableHTTPServerTransport({
    enableJsonResponse: true,
  });
  await server.connect(transport);
  try {
    return await transport.handleRequest(request, { parsedBody });
  } finally {
    await server.close();
  }
}
