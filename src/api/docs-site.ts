// The documentation at /docs, built into static files: the reference of the API, and the guides.
import { fileURLToPath } from "node:url";
import type { Context, Hono } from "hono";
import { AppError } from "../domain/error.ts";
import { type ContentSecurityPolicy, securityHeaders } from "../http/security-headers.ts";
import { readStaticFiles } from "../http/static-files.ts";
import { sendResponse } from "../http/stored-response.ts";
import { lazy } from "../lib/lazy.ts";
import { type ApiContext, withErrors } from "./request-handler.ts";

// Beside the built code. Run from source, the service uses the last build.
const folder = fileURLToPath(
  new URL(
    import.meta.url.endsWith(".ts") ? "../../dist/docs-site" : "../../docs-site",
    import.meta.url,
  ),
);

const contentSecurityPolicy: ContentSecurityPolicy = {
  defaultSrc: ["'none'"],
  styleSrc: ["'self'"],
  scriptSrc: ["'self'"],
  imgSrc: ["'self'"],
  connectSrc: ["'self'"],
  baseUri: ["'none'"],
  formAction: ["'self'"],
  frameAncestors: ["'none'"],
};

const paths = ["/docs", "/docs/:page{.+}", "/llms.txt"];

/** @throws AppError `not_found` from its handlers, for a page that was not built */
export function addDocsSite(
  app: Hono,
  options: {
    api: ApiContext;
    publicUrl: string | null;
    addGetRoute(path: string, handler: (context: Context) => Promise<Response>): void;
  },
): void {
  const { api, publicUrl, addGetRoute } = options;
  const referrerPolicy = "no-referrer";
  const headers = securityHeaders({ publicUrl, contentSecurityPolicy, referrerPolicy });
  const files = lazy(() => readStaticFiles(folder));
  for (const path of paths) {
    app.use(path, headers);
    addGetRoute(path, (context) =>
      withErrors(api, async (headers) => {
        const { path } = context.req;
        const file = (await files()).get(path) ?? (await files()).get(`${path}.html`);
        if (!file) throw new AppError("not_found", "There is no page of this name.");
        return sendResponse(file, { context, headers });
      }),
    );
  }
}
