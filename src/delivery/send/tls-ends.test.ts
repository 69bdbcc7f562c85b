// Endpoints whose TLS or protocol Starpost doesn't speak: the reason says which.
import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import http2 from "node:http2";
import https from "node:https";
import type { AddressInfo, Server } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import type { TlsOptions } from "node:tls";
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from "vitest";
import { patience } from "../../../test/support/patience.ts";
import { openHttpClient } from "../../lib/http-client.ts";
import { openSender } from "./send.ts";
import { openUrlPolicy } from "./url-check.ts";

const folder = mkdtempSync(path.join(tmpdir(), "starpost-tls-"));
let pair: { key: Buffer; cert: Buffer };

beforeAll(() => {
  const [key, cert] = [path.join(folder, "key"), path.join(folder, "cert")];
  const names = ["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost"];
  const kind = ["-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2"];
  execFileSync("openssl", ["req", ...kind, "-keyout", key, "-out", cert, ...names], {
    stdio: "ignore",
  });
  pair = { key: readFileSync(key), cert: readFileSync(cert) };
  // The certificate has no authority: only the steps after its check matter here.
  vi.stubEnv("NODE_TLS_REJECT_UNAUTHORIZED", "0");
});
afterAll(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true });
});

const serve = (options: TlsOptions): Server =>
  https.createServer({ ...pair, ...options }, (_, response) => response.end());
const mutual: TlsOptions = { requestCert: true, rejectUnauthorized: true };

const servers: Record<string, { open: () => Server; scheme?: "http"; reason: RegExp }> = {
  "demands a client certificate, TLS 1.3": {
    open: () => serve({ ...mutual, minVersion: "TLSv1.3" }),
    reason: /demands a client certificate, and Starpost has none/,
  },
  "demands a client certificate, TLS 1.2": {
    open: () => serve({ ...mutual, maxVersion: "TLSv1.2" }),
    reason: /demands a client certificate/,
  },
  "speaks HTTP/2 alone": {
    open: () => http2.createSecureServer(pair),
    reason: /speaks HTTP\/2 alone, and Starpost speaks HTTP\/1\.1/,
  },
  "speaks HTTP/2 alone, without TLS": {
    open: () => http2.createServer(),
    scheme: "http",
    reason: /speaks HTTP\/2 alone, and Starpost speaks HTTP\/1\.1/,
  },
  "has other ciphers": {
    open: () => serve({ maxVersion: "TLSv1.2", ciphers: "ECDHE-ECDSA-AES128-GCM-SHA256" }),
    reason: /other ciphers/,
  },
  "has old versions of TLS": {
    open: () =>
      serve({ minVersion: "TLSv1", maxVersion: "TLSv1.1", ciphers: "DEFAULT@SECLEVEL=0" }),
    reason: /versions of TLS/,
  },
};

test.each(Object.entries(servers))("an endpoint that %s", async (_, { open, scheme, reason }) => {
  const server = open();
  server.on("tlsClientError", () => {});
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  const url = `${scheme ?? "https"}://localhost:${(server.address() as AddressInfo).port}/`;
  const policy = openUrlPolicy({ allowHttp: true, allowedCidrs: ["127.0.0.1/32"] });
  const found = { kind: "found", addresses: ["127.0.0.1"] } as const;
  const timeoutMs = patience(5_000);
  const names = { resolve: async () => ({ ...found, addresses: [...found.addresses] }) };
  const sender = openSender({ policy, names, timeoutMs });
  const request = { target: sender.check(url), headers: [], body: Buffer.from("{}") };
  const posted = await sender.post({ ...request, isFresh: () => true });
  await sender.close();
  expect(posted).toMatchObject({ status: null, reason: expect.stringMatching(reason) });
  const client = openHttpClient({ totalTimeoutMs: timeoutMs });
  const got = await client.http({ method: "GET", url });
  await client.close();
  expect(got).toMatchObject({ kind: "failed", detail: expect.stringMatching(reason) });
});
