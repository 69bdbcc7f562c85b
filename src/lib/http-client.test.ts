// The HTTP client against servers on loopback that drip, break off, swell and send elsewhere.
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { brotliCompressSync, gzipSync } from "node:zlib";
import { afterEach, describe, expect, test } from "vitest";
import { type HttpClientOptions, openHttpClient } from "./http-client.ts";

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

const resources: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  await Promise.all(resources.splice(0).map((close) => close()));
});

test("a server without TLS is reported in one line, without addresses and source files", async () => {
  const { client, url } = await serve((_, response) => {
    response.end("plain");
  });
  const request = { method: "GET", url: url.replace("http:", "https:") } as const;
  expect(await client.http(request)).toEqual({
    ...{ kind: "failed", reason: "network" },
    detail: "no secure connection could be made (TLS): the server doesn't speak TLS on this port",
  });
});

describe("answers", () => {
  test("status, headers in lower case and body arrive, with our name on the request", async () => {
    const { get } = await serve((request, response) => {
      response.writeHead(418, { "X-Told": "yes" }).end(String(request.headers["user-agent"]));
    });
    const answer = await get("/a");
    expect(answer).toMatchObject({ kind: "response", status: 418, headers: { "x-told": "yes" } });
    expect(bodyOf(answer)).toBe("Starpost/test");
  });

  test.each([
    ["gzip", gzipSync("words")],
    ["br", brotliCompressSync("words")],
    ["identity", Buffer.from("words")],
  ])("a body in %s is read", async (encoding, body) => {
    const { get } = await serve((_, response) => {
      response.writeHead(200, { "content-encoding": encoding }).end(body);
    });
    expect(bodyOf(await get("/"))).toBe("words");
  });

  test("a body is handed on as it comes, and the reader may stop early", async () => {
    const { client, url } = await serve((_, response) => {
      // Never ends by itself.
      response.writeHead(200).write("first");
    });
    let seen = "";
    const answer = await client.http({
      method: "GET",
      url,
      async readBody(chunks) {
        for await (const chunk of chunks) {
          seen += chunk.toString();
          break;
        }
      },
    });
    expect(seen).toBe("first");
    expect(answer).toMatchObject({ kind: "response", status: 200, body: Buffer.alloc(0) });
  });

  test("a body that is handed on has the same limit", async () => {
    const { client, url } = await serve((_, response) => response.end("x".repeat(2_000)));
    const readBody = async (chunks: AsyncIterable<Buffer>): Promise<void> => {
      for await (const _ of chunks);
    };
    const answer = await client.http({ method: "GET", url, bodyBytesMax: 1_000, readBody });
    expect(answer).toMatchObject({ kind: "failed", reason: "too_large" });
  });

  test("a POST carries its body and its headers", async () => {
    const { client, url } = await serve(async (request, response) => {
      let text = "";
      for await (const chunk of request) text += chunk;
      response.end(`${request.method} ${request.headers["content-type"]} ${text}`);
    });
    const headers = { "content-type": "text/plain" };
    const answer = await client.http({ method: "POST", url, headers, body: "a=1" });
    expect(bodyOf(answer)).toBe("POST text/plain a=1");
  });
});

describe("failures", () => {
  test("a body that drips past the deadline is a timeout", async () => {
    const { get } = await serve(
      (_, response) => {
        response.writeHead(200);
        const drip = setInterval(() => response.write("."), 20);
        response.on("close", () => clearInterval(drip));
      },
      { totalTimeoutMs: 200 },
    );
    expect(await get("/")).toMatchObject({ kind: "failed", reason: "timeout" });
  });

  test("a server that never answers is a timeout", async () => {
    const { get } = await serve(() => {}, { totalTimeoutMs: 200 });
    expect(await get("/")).toMatchObject({ kind: "failed", reason: "timeout" });
  });

  test("a small body that swells beyond the limit is too large", async () => {
    const { get } = await serve(
      (_, response) => {
        response.writeHead(200, { "content-encoding": "gzip" }).end(gzipSync("x".repeat(100_000)));
      },
      { bodyBytesMax: 10_000 },
    );
    expect(await get("/")).toMatchObject({ kind: "failed", reason: "too_large" });
  });

  test("a body of exactly the limit is an answer", async () => {
    const { get } = await serve((_, response) => response.end("x".repeat(10_000)), {
      bodyBytesMax: 10_000,
    });
    expect(bodyOf(await get("/")).length).toBe(10_000);
  });

  test.each([
    ["with a length", { "content-length": "100" }],
    ["in chunks", {}],
  ])("a connection that breaks in a body %s is truncated", async (_, headers) => {
    const { get } = await serve((_, response) => {
      response.writeHead(200, headers);
      response.write("half", () => response.destroy());
    });
    expect(await get("/")).toMatchObject({ kind: "failed", reason: "truncated" });
  });

  test("compressed data that ends early is truncated", async () => {
    const { get } = await serve((_, response) => {
      const half = gzipSync("words ".repeat(500)).subarray(0, 30);
      response.writeHead(200, { "content-encoding": "gzip" }).end(half);
    });
    expect(await get("/")).toMatchObject({ kind: "failed", reason: "truncated" });
  });

  test("no server and no address are network failures", async () => {
    const { client, get, close } = await serve(() => {});
    await close();
    expect(await get("/")).toMatchObject({ kind: "failed", reason: "network" });
    const answer = await client.http({ method: "GET", url: "not an address" });
    expect(answer).toMatchObject({ kind: "failed", reason: "network" });
  });
});

describe("redirects", () => {
  const hop: Handler = (request, response) => {
    const left = Number(request.url?.slice(1));
    if (left === 0) response.end("here");
    else response.writeHead(302, { location: `/${left - 1}` }).end("moved");
  };

  test("three on the same host are followed, a fourth is not", async () => {
    const { get, url } = await serve(hop);
    const answer = await get("/3");
    expect(bodyOf(answer)).toBe("here");
    expect(answer).toMatchObject({ url: `${url}0` });
    expect(await get("/4")).toMatchObject({ kind: "failed", reason: "redirected" });
  });

  test("another host is refused by name, unless it was allowed", async () => {
    const target = await serve((_, response) => response.end("elsewhere"));
    const host = new URL(target.url).host;
    const away: Handler = (_, response) => response.writeHead(302, { location: target.url }).end();
    const refusing = await serve(away);
    expect(await refusing.get("/")).toEqual({
      kind: "failed",
      reason: "redirected",
      detail: `redirected the request to another host (${host})`,
    });
    const allowing = await serve(away, { redirectHosts: [host] });
    expect(bodyOf(await allowing.get("/"))).toBe("elsewhere");
  });

  test("a moved POST becomes a GET, and stays a POST where the status says so", async () => {
    const { client, url } = await serve((request, response) => {
      const status = Number(request.url?.slice(1));
      if (status === 0) response.end(request.method);
      else response.writeHead(status, { location: "/0" }).end();
    });
    const post = (path: string) =>
      client.http({ method: "POST", url: url + path, body: "a=1" }).then(bodyOf);
    expect([await post("303"), await post("307")]).toEqual(["GET", "POST"]);
  });
});

async function serve(handler: Handler, options: Partial<HttpClientOptions> = {}) {
  const server = createServer(handler);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const client = openHttpClient({ userAgent: "Starpost/test", ...options });
  const close = async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  resources.push(async () => {
    await client.close();
    await close();
  });
  const get = (path: string) => client.http({ method: "GET", url: url + path.slice(1) });
  return { client, url, get, close };
}

function bodyOf(answer: Awaited<ReturnType<ReturnType<typeof openHttpClient>["http"]>>): string {
  if (answer.kind === "failed") throw new Error(`${answer.reason}: ${answer.detail}`);
  return answer.body.toString();
}
