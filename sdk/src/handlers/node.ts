// A handler for Node's `http` and for Express: `app.post("/hook", createNodeHandler({ … }))`. In Express it
// reads the body itself, or takes the Buffer of `express.raw({ type: "*/*" })`.
import { type HandlerOptions, printError, receive } from "./receive.ts";

export type { HandlerOptions } from "./receive.ts";

/** The part of Node's IncomingMessage that is used; Express adds `body`. */
export type NodeRequest = AsyncIterable<Uint8Array> & {
  headers: Record<string, string | string[] | undefined>;
  body?: unknown;
};

/** The part of Node's ServerResponse that is used. */
export type NodeResponse = {
  statusCode: number;
  setHeader(name: string, value: string): unknown;
  end(text?: string): unknown;
};

const bodyBytesMax = 2_000_000;

export function createNodeHandler(
  options: HandlerOptions,
): (request: NodeRequest, response: NodeResponse) => Promise<void> {
  return async (request, response) => {
    const body = await readBody(request).catch((error: unknown) => {
      (options.onError ?? printError)(error);
      return error instanceof Error ? error : new Error(String(error));
    });
    const { status, text } =
      body instanceof Error
        ? { status: 500, text: body.message }
        : await receive({ body, headers: request.headers }, options);
    response.statusCode = status;
    if (text !== "") response.setHeader("content-type", "text/plain; charset=utf-8");
    response.end(text);
  };
}

async function readBody(request: NodeRequest): Promise<string | Uint8Array> {
  const { body } = request;
  if (body instanceof Uint8Array || typeof body === "string") return body;
  if (body !== undefined) {
    throw new Error(
      "the body was parsed before it could be verified: mount this handler before express.json(), or use express.raw({ type: '*/*' }) for its path",
    );
  }
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of request) {
    length += chunk.byteLength;
    if (length > bodyBytesMax) throw new Error(`the body is longer than ${bodyBytesMax} bytes`);
    chunks.push(chunk);
  }
  return concat(chunks, length);
}

function concat(chunks: readonly Uint8Array[], length: number): Uint8Array {
  const whole = new Uint8Array(length);
  let at = 0;
  for (const chunk of chunks) {
    whole.set(chunk, at);
    at += chunk.byteLength;
  }
  return whole;
}
