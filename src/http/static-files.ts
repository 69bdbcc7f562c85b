// The built pages from memory: a map made at the start, so that no path of a request ever reaches the
// disk. Names with a hash are kept by browsers for good, everything else is asked for again.
import { hash } from "node:crypto";
import fs from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { brotliCompress, gzip } from "node:zlib";
import type { Context } from "hono";

export type PageFile = {
  bytes: Buffer;
  contentType: string;
  tag: string;
  isLasting: boolean;
  isText: boolean;
  /** The compressed forms that were asked for so far. */
  packed: Partial<Record<Encoding, Promise<Buffer>>>;
};
type Encoding = "br" | "gzip";
/** By path, e.g. `/assets/index-4f2a.js`. */
export type PageFiles = ReadonlyMap<string, PageFile>;

const contentTypes: Readonly<Record<string, string>> = {
  ".css": "text/css; charset=utf-8",
  ".html": "text/html; charset=utf-8",
  ".ico": "image/x-icon",
  ".js": "text/javascript; charset=utf-8",
  ".json": "application/json",
  ".png": "image/png",
  ".svg": "image/svg+xml",
  ".txt": "text/plain; charset=utf-8",
  ".webmanifest": "application/manifest+json",
  ".woff2": "font/woff2",
};
const indexPath = "/index.html";

/** Empty when the pages were not built: a checkout that only serves the API. */
export async function readPageFiles(folder: string): Promise<PageFiles> {
  const names = await fs.readdir(folder, { recursive: true }).catch((error: unknown) => {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return [];
    throw error;
  });
  const files = new Map<string, PageFile>();
  for (const name of names.sort()) {
    const contentType = contentTypes[path.extname(name)];
    if (contentType === undefined) continue;
    const at = `/${name.split(path.sep).join("/")}`;
    files.set(at, await readPageFile(path.join(folder, name), { at, contentType }));
  }
  return files;
}

const brotliBytes = promisify(brotliCompress);
const gzipBytes = promisify(gzip);
// Below one network packet there is nothing to gain.
const packedFromBytes = 1_024;

/** Once for each form, when somebody asks: the best compression takes longer than the whole start. */
function pack(file: PageFile, encoding: Encoding): Promise<Buffer> {
  file.packed[encoding] ??= encoding === "br" ? brotliBytes(file.bytes) : gzipBytes(file.bytes);
  return file.packed[encoding];
}

async function readPageFile(
  file: string,
  as: { at: string; contentType: string },
): Promise<PageFile> {
  const bytes = await fs.readFile(file);
  const isText = /^(text|application)\/|svg/.test(as.contentType);
  return {
    bytes,
    contentType: as.contentType,
    tag: hash("sha256", bytes, "base64url").slice(0, 27),
    isLasting: as.at.startsWith("/assets/"),
    isText,
    packed: {},
  };
}

export type Pages = {
  /** What has a path of its own, `/` among them. */
  paths: readonly string[];
  answerFile(context: Context, path: string): Promise<Response>;
  answerPage(context: Context): Promise<Response> | null;
};

export function servePages(files: PageFiles, headers: Readonly<Record<string, string>>): Pages {
  const index = files.get(indexPath);
  const named = [...files.keys()].filter((name) => name !== indexPath);
  return {
    paths: index ? ["/", ...named] : named,
    async answerFile(context, name) {
      const file = files.get(name === "/" ? indexPath : name);
      if (!file) throw new Error(`there is no page file ${name}`);
      return sendFile(file, { context, headers });
    },
    answerPage(context) {
      const { method, path: asked } = context.req;
      const isPage =
        (method === "GET" || method === "HEAD") &&
        (context.req.header("accept") ?? "").includes("text/html") &&
        !/^\/(api|console|assets)(\/|$)/.test(asked);
      return isPage && index ? sendFile(index, { context, headers }) : null;
    },
  };
}

async function sendFile(
  file: PageFile,
  sent: { context: Context; headers: Readonly<Record<string, string>> },
): Promise<Response> {
  const { context } = sent;
  const accepted = context.req.header("accept-encoding") ?? "";
  const isPacked = file.isText && file.bytes.length >= packedFromBytes;
  const encoding = isPacked && (["br", "gzip"] as const).find((name) => accepted.includes(name));
  const tag = encoding ? `"${file.tag}-${encoding}"` : `"${file.tag}"`;
  const headers = new Headers(sent.headers);
  headers.set("Cache-Control", file.isLasting ? "public, max-age=31536000, immutable" : "no-cache");
  headers.set("ETag", tag);
  headers.set("Vary", "Accept-Encoding");
  const known = (context.req.header("if-none-match") ?? "").split(",").map((one) => one.trim());
  if (known.includes(tag)) return new Response(null, { status: 304, headers });
  const bytes = encoding ? await pack(file, encoding) : file.bytes;
  if (encoding) headers.set("Content-Encoding", encoding);
  headers.set("Content-Type", file.contentType);
  headers.set("Content-Length", String(bytes.length));
  return new Response(new Uint8Array(bytes), { headers });
}
