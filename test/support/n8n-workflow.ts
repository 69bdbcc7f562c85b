// The part of n8n's package that the nodes in packaging/n8n use when they run.
export class NodeApiError extends Error {
  constructor(_node: unknown, cause: unknown) {
    super("NodeApiError", { cause });
  }
}

export const NodeConnectionTypes = { Main: "main" } as const;
