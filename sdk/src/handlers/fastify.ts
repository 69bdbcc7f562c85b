// A Fastify plugin: `app.register(createFastifyPlugin({ path: "/hook", secret, onEvent }))`. Inside the
// plugin bodies stay bytes, because the signature covers the bytes; the rest of the app is not affected.
import { type HandlerOptions, receive } from "./receive.ts";

export type { HandlerOptions } from "./receive.ts";

/** The part of a Fastify instance that is used. */
export type FastifyLike = {
  removeAllContentTypeParsers(): unknown;
  addContentTypeParser(
    type: string,
    options: { parseAs: "buffer" },
    parser: (
      request: unknown,
      body: Uint8Array,
      done: (error: null, body: Uint8Array) => void,
    ) => void,
  ): unknown;
  post(
    path: string,
    handler: (request: FastifyRequestLike, reply: FastifyReplyLike) => unknown,
  ): unknown;
};

export type FastifyRequestLike = {
  body: unknown;
  headers: Record<string, string | string[] | undefined>;
};

export type FastifyReplyLike = {
  code(status: number): FastifyReplyLike;
  send(text: string): unknown;
};

export function createFastifyPlugin({
  path,
  ...options
}: HandlerOptions & { path: string }): (app: FastifyLike) => Promise<void> {
  return async (app) => {
    app.removeAllContentTypeParsers();
    app.addContentTypeParser("*", { parseAs: "buffer" }, (_request, body, done) =>
      done(null, body),
    );
    app.post(path, async (request, reply) => {
      const body = request.body instanceof Uint8Array ? request.body : "";
      const { status, text } = await receive({ body, headers: request.headers }, options);
      return reply.code(status).send(text);
    });
  };
}
