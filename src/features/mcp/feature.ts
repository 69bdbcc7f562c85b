// The Model Context Protocol, for assistants: over HTTP beside the read API, and on stdin and stdout of a command.
import type { Feature } from "../feature.ts";

export const mcp: Feature = {
  name: "mcp",
  loadApiPaths: async () => [(await import("./mcp-handler.ts")).mcpPath],
};
