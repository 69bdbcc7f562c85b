// The reason that a proxy gives in an answer of its own: by RFC 9209, in Squid's header and page, or in a page's title.
import type { Readable } from "node:stream";

type Headers = Readonly<Record<string, string | string[] | undefined>>;

/** A proxy's answer instead of a tunnel. */
export class ProxyAnswer extends Error {
  readonly status: number;
  readonly detail: string | null;
  constructor(status: number, detail: string | null) {
    super(`the proxy answers HTTP ${status}`);
    this.status = status;
    this.detail = detail;
  }
}

const pageBytesMax = 16_384;
const pageMs = 1_000;

/** Squid's names of pages (its `errors/templates`). */
const squidPages: Readonly<Record<string, string>> = {
  ERR_DNS_FAIL: "it can't resolve the host name",
  ERR_CONNECT_FAIL: "it can't connect to the host",
  ERR_SECURE_CONNECT_FAIL: "it can't make a secure connection to the host",
  ERR_CANNOT_FORWARD: "it finds no way to the host",
  ERR_ACCESS_DENIED: "its rules don't allow this host or port",
  ERR_FORWARDING_DENIED: "its rules don't allow this host or port",
  ERR_READ_TIMEOUT: "the host doesn't answer in time",
  ERR_LIFETIME_EXP: "the host doesn't answer in time",
  ERR_ZERO_SIZE_OBJECT: "the host closed the connection without an answer",
  ERR_READ_ERROR: "the connection to the host broke",
  ERR_WRITE_ERROR: "the connection to the host broke",
  ERR_TOO_BIG: "the request or the answer is larger than it allows",
};

/** null for an answer that doesn't say that the proxy made it. */
export function readProxyReason(headers: Headers): string | null {
  const read = (name: string): string => [headers[name]].flat()[0] ?? "";
  const [squidPage = ""] = read("x-squid-error").split(" ", 1);
  if (squidPage !== "") return squidPages[squidPage] ?? toWords(squidPage);
  const status = read("proxy-status");
  const [, error] = /;\s*error=([a-z_]{3,40})/.exec(status) ?? [];
  if (error === undefined) return null;
  const [, details] = /;\s*details="((?:[^"\\]|\\.){1,100})"/.exec(status) ?? [];
  const more = details === undefined ? "" : ` (${toWords(details)})`;
  return `${error.replaceAll("_", " ")}${more}`;
}

/** The reason of a refused tunnel, for which its page is read as well. */
export async function readTunnelRefusal(answer: {
  statusCode: number;
  headers: Headers;
  socket: Readable;
}): Promise<ProxyAnswer> {
  const page = await readPage(answer.socket);
  const [, shown] =
    /id="?(?:data|sysmsg)"?[\s\S]*?<(?:pre|i)>\s*([^<]{3,200})/i.exec(page) ??
    /<title>([^<]{3,200})/i.exec(page) ??
    [];
  const parts = [readProxyReason(answer.headers) ?? "", toWords(shown)].filter(
    (part) => part !== "",
  );
  return new ProxyAnswer(answer.statusCode, parts.length > 0 ? parts.join(": ") : null);
}

/** One short line without anything that a terminal or page could act on. */
function toWords(text = ""): string {
  return text
    .replace(/[^\p{L}\p{N}\p{P}]+/gu, " ")
    .trim()
    .slice(0, 120);
}

/** As much as is there within a moment. */
async function readPage(socket: Readable): Promise<string> {
  const chunks: Buffer[] = [];
  const timer = setTimeout(() => socket.destroy(), pageMs);
  try {
    for await (const chunk of socket) {
      chunks.push(chunk as Buffer);
      if (Buffer.concat(chunks).length > pageBytesMax) break;
    }
  } catch {
    // The beginning is enough.
  }
  clearTimeout(timer);
  socket.destroy();
  return Buffer.concat(chunks).toString("utf8");
}
