// The built pages, served from memory: they are read once at the start, so that no path of a request ever
// reaches the disk. Browsers keep files with a hash in their name; everything else is revalidated.
import fs from "node:fs/promises";
import path from "node:path";
import type { Context, MiddlewareHandler } from "hono";
import { getMimeType, mimes } from "hono/utils/mime";
import { isFileMissing } from "../lib/errors.ts";
import { createStoredResponse, type StoredResponse, sendResponse } from "./stored-response.ts";

/** By path, e.g. `/assets/index-4f2a.js`. */
export type StaticFiles = ReadonlyMap<string, StoredResponse>;

/** The application, and the pages before the sign-in: answers to paths that have no file of their own. */
const documents = ["/index.html", "/sign-in.html"] as const;
type DocumentPath = (typeof documents)[number];
const knownTypes = { ...mimes, md: "text/markdown; charset=utf-8" };

/**
 * Empty when the folder does not exist: a checkout without built pages serves the API alone.
 *
 * @throws the error of the file system when files can't be read
 */
export async function readStaticFiles(folder: string): Promise<StaticFiles> {
  const names = await fs.readdir(folder, { recursive: true }).catch((error: unknown) => {
    if (isFileMissing(error)) return [];
    throw error;
  });
  const files = new Map<string, StoredResponse>();
  for (const name of names.sort()) {
    const contentType = getMimeType(name, knownTypes);
    if (contentType === undefined) continue;
    const urlPath = `/${name.split(path.sep).join("/")}`;
    const file = createStoredResponse({
      content: new Uint8Array(await fs.readFile(path.join(folder, name))),
      contentType,
      cacheControl: urlPath.startsWith("/assets/")
        ? "public, max-age=31536000, immutable"
        : "no-cache",
      compression: /^(text|application)\/|svg/.test(contentType) ? "best" : "none",
    });
    files.set(urlPath, file);
  }
  return files;
}

type StaticPages = {
  /** Paths with a file of their own, `/` among them. */
  paths: readonly string[];
  serveFile(context: Context, path: string): Promise<Response>;
  /** The document for any path that a browser opens; null when the request is not for a page. */
  servePage(context: Context): Promise<Response> | null;
};

type StaticPagesOptions = {
  /** Sets the security headers of every file. */
  security: MiddlewareHandler;
  /** By the path and the cookies of a request. */
  chooseDocument: (context: Context) => DocumentPath;
};

export function createStaticPages(files: StaticFiles, options: StaticPagesOptions): StaticPages {
  const { security, chooseDocument } = options;
  const named = [...files.keys()].filter((name) => !documents.some((one) => one === name));
  const isBuilt = documents.every((name) => files.has(name));

  async function send(
    name: string,
    context: Context,
    extra: Record<string, string> = {},
  ): Promise<Response> {
    const file = files.get(name);
    if (!file) throw new Error(`no such page file: ${name}`);
    await security(context, async () => {
      // Pages of a workspace, and those that a link shares, are for the people who were sent there.
      const headers = { ...extra, "X-Robots-Tag": "noindex" };
      context.res = await sendResponse(file, { context, headers });
    });
    return context.res;
  }

  const sendDocument = (context: Context) =>
    send(chooseDocument(context), context, { Vary: "Cookie" });

  return {
    paths: isBuilt ? ["/", ...named] : named,
    serveFile: (context, name) => (name === "/" ? sendDocument(context) : send(name, context)),
    servePage(context) {
      const { method, path } = context.req;
      const isPage =
        (method === "GET" || method === "HEAD") &&
        (context.req.header("accept") ?? "").includes("text/html") &&
        !/^\/(api|console|assets)(\/|$)/.test(path);
      return isPage && isBuilt ? sendDocument(context) : null;
    },
  };
}
