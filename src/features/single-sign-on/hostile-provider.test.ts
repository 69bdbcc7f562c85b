// A sign-in provider that attacks: each of its documents is a failure with a sentence, within limits of time and size, and
// sends no request elsewhere.
import { createHmac } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { systemClock } from "../../lib/clock.ts";
import { type HttpClient, openHttpClient } from "../../lib/http-client.ts";
import { createOpenIdProvider, type OpenIdProvider } from "./open-id.ts";

type Handler = (request: IncomingMessage, response: ServerResponse) => unknown;

const clientSecret = "an-invented-secret-of-a-test-client";
const json = { "content-type": "application/json" };
const attempt = { state: "s", nonce: "n", codeVerifier: "v" };

let client: HttpClient;
let issuer = "";
let elsewhere = "";
let elsewhereCount = 0;
let answers: Record<string, Handler> = {};
const servers: ReturnType<typeof createServer>[] = [];

async function listen(handle: Handler): Promise<string> {
  const server = createServer(handle);
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

beforeAll(async () => {
  elsewhere = await listen((_, response) => {
    elsewhereCount += 1;
    response.writeHead(200, json).end("{}");
  });
  issuer = await listen((request, response) => {
    const path = new URL(request.url ?? "", issuer).pathname;
    const answer = answers[path];
    if (answer) return answer(request, response);
    return response.writeHead(404).end();
  });
  client = openHttpClient({ totalTimeoutMs: 1_000 });
});
afterAll(async () => {
  await client.close();
  for (const server of servers) {
    server.closeAllConnections();
    server.close();
  }
});
beforeEach(() => {
  elsewhereCount = 0;
});

function openProvider(): OpenIdProvider {
  const settings = { issuer, clientId: "starpost", clientSecret, clientAuth: "auto" } as const;
  return createOpenIdProvider(
    { clock: systemClock, http: client.http },
    {
      ...settings,
      scopes: "openid",
      redirectUrl: "https://reviews.example.com/auth/oidc/callback",
    },
  );
}

const discoveryPath = "/.well-known/openid-configuration";
const discoveryOf = (more: object = {}) => ({
  issuer,
  authorization_endpoint: `${issuer}/authorize`,
  token_endpoint: `${issuer}/token`,
  jwks_uri: `${issuer}/keys`,
  response_types_supported: ["code"],
  id_token_signing_alg_values_supported: ["RS256"],
  ...more,
});
const send =
  (body: unknown, headers: Record<string, string> = json): Handler =>
  (_, response) =>
    response.writeHead(200, headers).end(typeof body === "object" ? JSON.stringify(body) : body);

/** The ways to attack by any document. */
const attacks: Record<string, () => Handler> = {
  "without an end": () => (_, response) => {
    response.writeHead(200, json);
    const more = () => {
      while (!response.destroyed && response.write('"0123456789abcdef",'.repeat(1_000)));
    };
    response.on("drain", more);
    more();
  },
  "that drips": () => (_, response) => {
    response.writeHead(200, json);
    const timer = setInterval(() => response.write(" "), 50);
    response.on("close", () => clearInterval(timer));
  },
  "that never comes": () => () => {},
  "that swells": () => swelling,
  "of a megabyte": () => send({ issuer, padding: "a".repeat(1024 * 1024) }),
  "that is nested": () => send("[".repeat(100_000)),
  "that is a page": () => send("<h1>Sign in</h1>", { "content-type": "text/html" }),
  "that is null": () => send("null"),
  "that is elsewhere": () => (_, response) =>
    response.writeHead(302, { location: elsewhere }).end(),
};

const swelling: Handler = (_, response) =>
  response
    .writeHead(200, { ...json, "content-encoding": "gzip" })
    .end(gzipSync(Buffer.alloc(64 * 1024 * 1024, " ")));

describe("a description", () => {
  test.each(Object.keys(attacks))("%s fails the sign-in", async (name) => {
    answers = { [discoveryPath]: attacks[name]?.() as Handler };
    await expect(openProvider().begin({ isFresh: false })).rejects.toThrow(/\w+ \w+/);
    expect(elsewhereCount).toBe(0);
  });

  test.each([
    ["of another issuer", { issuer: "https://login.example.com" }],
    ["with a script for a page", { authorization_endpoint: "javascript:alert(1)" }],
    ["with a file for a page", { authorization_endpoint: "file:///etc/passwd" }],
    ["with a number for a page", { authorization_endpoint: 7 }],
    ["without a page", { authorization_endpoint: undefined }],
  ])("%s sends the browser nowhere", async (_name, change) => {
    answers = { [discoveryPath]: send(discoveryOf(change)) };
    await expect(openProvider().begin({ isFresh: false })).rejects.toThrow(/\w+ \w+/);
  });
});

describe("tokens", () => {
  test.each(Object.keys(attacks))("%s fail the sign-in", async (name) => {
    answers = { [discoveryPath]: send(discoveryOf()), "/token": attacks[name]?.() as Handler };
    const done = await openProvider().finish("?code=c&state=s", attempt);
    expect(done).toEqual({ failure: expect.stringMatching(/\w+ \w+/) });
    expect([elsewhereCount, JSON.stringify(done).includes(clientSecret)]).toEqual([0, false]);
  });

  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
  const now = Math.floor(Date.now() / 1_000);
  const tokenOf = (header: object, sign: (text: string) => string) => {
    const claims = {
      iss: issuer,
      aud: "starpost",
      sub: "mallory",
      nonce: "n",
      iat: now,
      exp: now + 600,
    };
    const text = `${part(header)}.${part(claims)}`;
    return `${text}.${sign(text)}`;
  };
  const bySecret = (text: string) =>
    createHmac("sha256", clientSecret).update(text).digest("base64url");
  test.each([
    ["without a signature", () => tokenOf({ alg: "none" }, () => "")],
    ["signed with the client's secret", () => tokenOf({ alg: "HS256" }, bySecret)],
    ["that name their own keys", () => tokenOf({ alg: "RS256", jku: elsewhere }, bySecret)],
    ["that name an unknown algorithm", () => tokenOf({ alg: "XX999" }, bySecret)],
    [
      "with a header that must be understood",
      () => tokenOf({ alg: "RS256", crit: ["x"], x: 1 }, bySecret),
    ],
    ["that are no tokens", () => "a.b"],
    ["of a hundred kilobytes", () => "a".repeat(100_000)],
  ])("%s are refused", async (_name, makeToken) => {
    answers = {
      [discoveryPath]: send(discoveryOf()),
      "/token": send({ access_token: "a", token_type: "bearer", id_token: makeToken() }),
      "/keys": send({ keys: [] }),
    };
    const done = await openProvider().finish("?code=c&state=s", attempt);
    expect(done).toEqual({ failure: expect.stringMatching(/\w+ \w+/) });
    expect(elsewhereCount).toBe(0);
  });

  test.each(Object.keys(attacks))("whose keys are a document %s are refused", async (name) => {
    answers = {
      [discoveryPath]: send(discoveryOf()),
      "/token": send({
        access_token: "a",
        token_type: "bearer",
        id_token: tokenOf({ alg: "RS256", kid: "k" }, bySecret),
      }),
      "/keys": attacks[name]?.() as Handler,
    };
    const done = await openProvider().finish("?code=c&state=s", attempt);
    expect(done).toEqual({ failure: expect.stringMatching(/\w+ \w+/) });
    expect(elsewhereCount).toBe(0);
  });
});
