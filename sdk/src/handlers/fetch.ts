// A handler from Request to Response: Hono (`app.post("/hook", (c) => handle(c.req.raw))`), Next.js route
// handlers (`export const POST = handle`), Deno, Bun and workers.
import { type HandlerOptions, receive } from "./receive.ts";

export type { HandlerOptions } from "./receive.ts";

export function createFetchHandler(
  options: HandlerOptions,
): (request: Request) => Promise<Response> {
  return async (request) => {
    const body = await request.arrayBuffer();
    const { status, text } = await receive({ body, headers: request.headers }, options);
    return new Response(status === 204 ? null : text, { status });
  };
}
