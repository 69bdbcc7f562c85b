import fs from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import os from "node:os";
import path from "node:path";
import { PassThrough } from "node:stream";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { openSimulator } from "../../../simulator/simulator.ts";
import { StoreState } from "../../../simulator/store-state.ts";
import { aWorkspace, saveChannel } from "../../../test/support/factories.ts";
import { openMailServer } from "../../../test/support/mail-server.ts";
import { MovableClock } from "../../../test/support/movable-clock.ts";
import { clientId, clientSecret, openOpenIdServer } from "../../../test/support/open-id-server.ts";
import { createSqlUser, removeSqlUser } from "../../../test/support/sql-user-acts.ts";
import { openTestContext, type TestContext } from "../../../test/support/test-context.ts";

import { readConfig } from "../../config/config.ts";
import { type Finding, runDoctor } from "./doctor.ts";

let context: TestContext;
let folder: string;
let store: Server;
let storeUrl: string;

beforeAll(async () => {
  context = await openTestContext();
  folder = await fs.mkdtemp(path.join(os.tmpdir(), "starpost-doctor-"));
  store = createServer((_, response) => response.writeHead(404).end());
  await new Promise<void>((resolve) => store.listen(0, "127.0.0.1", resolve));
  storeUrl = `http://127.0.0.1:${(store.address() as AddressInfo).port}`;
});

afterAll(async () => {
  store.close();
  await fs.rm(folder, { recursive: true });
  await context.close();
});

function storesAt(url: string): Record<string, string> {
  const bases = ["ITUNES", "APPLE_APPS", "APP_STORE_CONNECT", "GOOGLE_PLAY", "FIREFOX_ADDONS"];
  const more = ["ANDROID_PUBLISHER", "GOOGLE_OAUTH", "GOOGLE_STORAGE"];
  return Object.fromEntries([...bases, ...more].map((name) => [`${name}_BASE_URL`, url]));
}

async function look(env: Record<string, string> = {}, now = new Date()): Promise<Finding[]> {
  const common = { PORT: "0", DATA_DIR: folder, DATABASE_URL: context.connectionString };
  const config = readConfig({
    envFile: path.join(folder, "none"),
    env: { ...storesAt(storeUrl), ...common, ...env },
  });
  return runDoctor({ config, clock: new MovableClock(now) });
}

const mail = { EMAIL_FROM: "starpost@example.com" };

function stateOf(findings: readonly Finding[], check: string): Finding | undefined {
  return findings.find((finding) => finding.check === check);
}

test("where all is there, nothing is wrong, and nothing is changed", async () => {
  const fresh = await openTestContext();
  const DATA_DIR = path.join(folder, "fresh");
  await fs.mkdir(DATA_DIR);
  const findings = await look({ DATA_DIR, DATABASE_URL: fresh.connectionString });
  await fresh.close();
  // Tests may run as root, which is a warning of its own.
  const wrong = findings.filter(({ check, state }) => check !== "user" && state !== "ok");
  expect(wrong).toEqual([]);
  expect(findings.map(({ check }) => check)).toEqual(
    expect.arrayContaining(["settings", "analysis", "database", "encryption key", "port", "clock"]),
  );
  expect(await fs.readdir(DATA_DIR)).toEqual([]);
});

test("root is warned about, and no other user", async () => {
  const isRoot = process.getuid?.() === 0;
  expect(stateOf(await look(), "user")?.state).toBe(isRoot ? "warning" : undefined);
});

test.each([
  ["127.0.0.1", "", "", undefined],
  ["::", "", "", "warning"],
  ["127.0.0.1", "10.0.0.0/8", "", "warning"],
  ["::", "10.0.0.0/8", "https://reviews.example.com", undefined],
])(
  "HOST %s, TRUSTED_PROXIES %j, PUBLIC_URL %j: a missing address is a warning",
  async (HOST, TRUSTED_PROXIES, PUBLIC_URL, state) => {
    const finding = stateOf(await look({ HOST, TRUSTED_PROXIES, PUBLIC_URL }), "public URL");
    expect(finding?.state).toBe(state);
  },
);

test.each<[string, Record<string, string>, string]>([
  [
    "database",
    { DATABASE_URL: "postgresql://a:hunter2@127.0.0.1:1/b" },
    "the connection was refused",
  ],
  ["notifications", { DATABASE_URL: "postgresql://a:hunter2@127.0.0.1:1/b" }, "refused"],
  ["mail server", { ...mail, SMTP_URL: "smtp://127.0.0.1:1" }, "the connection was refused"],
  ["mail server", { ...mail, SMTP_URL: "smtp://mail.invalid" }, "can't be resolved"],
  ["mail server", { SMTP_URL: "smtp://127.0.0.1:1" }, "EMAIL_FROM"],
  [
    "outgoing proxy",
    { OUTGOING_PROXY: "http://127.0.0.1:1", ITUNES_BASE_URL: "http://s.invalid" },
    "refused",
  ],
  [
    "translator",
    { TRANSLATE_PROVIDER: "libretranslate", TRANSLATE_URL: "http://127.0.0.1:1" },
    "refused",
  ],
  [
    "language model",
    { ANALYSIS_PROVIDER: "openai", ANALYSIS_MODEL: "m", ANALYSIS_URL: "http://127.0.0.1:1" },
    "refused",
  ],
  ["data folder", { DATA_DIR: path.join(import.meta.filename, "data") }, "can't be written"],
  ["settings", { TRANSLATE_PROVIDER: "deepl" }, "TRANSLATE_API_KEY"],
  ["settings", { ADMIN_EMAIL: "harbour@example.com" }, "go together"],
  ["settings", { ADMIN_EMAIL: "harbour", ADMIN_PASSWORD: "a long passphrase" }, "ADMIN_EMAIL"],
  ["port", { HOST: "starpost.invalid" }, "set HOST"],
  ["Google Play", { GOOGLE_PLAY_BASE_URL: "http://127.0.0.1:1" }, "can't be reached"],
])("what is wrong with the %s is reported", async (check, env, words) => {
  const finding = stateOf(await look(env), check);
  expect(finding).toMatchObject({ state: "failed", detail: expect.stringContaining(words) });
  expect(finding?.detail).not.toContain("hunter2");
});

test("a port that another program holds, and a clock that is wrong, are named", async () => {
  const { port } = store.address() as AddressInfo;
  const findings = await look({ PORT: String(port) }, new Date("2020-01-01T00:00:00Z"));
  expect(stateOf(findings, "port")).toMatchObject({ state: "failed" });
  expect(stateOf(findings, "clock")).toMatchObject({ state: "failed" });
});

test("the clock is not compared with that of simulated stores", async () => {
  const clock = new MovableClock(new Date("2020-01-01T00:00:00Z"));
  const simulator = await openSimulator({ clock, storeState: new StoreState(clock) });
  const findings = await look(storesAt(simulator.url));
  await simulator.close();
  expect(stateOf(findings, "clock")).toBeUndefined();
});

test("a data folder that a start refuses, and one that a demo used, are distinguished", async () => {
  const foreign = path.join(folder, "foreign");
  await fs.mkdir(foreign, { recursive: true });
  await fs.writeFile(path.join(foreign, "thesis.txt"), "");
  const env = { DATA_DIR: foreign, DATABASE_URL: "" };
  const refused = { state: "failed", detail: expect.stringContaining("thesis.txt") };
  expect(stateOf(await look(env), "data folder")).toMatchObject(refused);
  const used = path.join(folder, "used");
  await fs.mkdir(path.join(used, "demo"), { recursive: true });
  expect(stateOf(await look({ ...env, DATA_DIR: used }), "data folder")).toMatchObject({
    state: "ok",
  });
});

test("a key that is in use and not available is reported", async () => {
  await context.database.registerEncryptionKey({
    id: "0123456789abcdef",
    now: context.clock.now(),
  });
  const key = Buffer.alloc(32, 1).toString("base64");
  const found = stateOf(await look({ ENCRYPTION_KEY: key }), "encryption key");
  expect(found).toMatchObject({
    state: "failed",
    detail: expect.stringContaining("ENCRYPTION_KEY"),
  });
});

test.each([
  ["ok", 0],
  ["warning", 0],
  ["failed", 1],
] as const)("with a finding that is %s the command exits with %i", async (state, exitCode) => {
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  const unused = (): never => {
    throw new Error("not needed for a look");
  };
  const finding: Finding = { check: "clock", state, detail: "" };
  vi.doMock("./doctor.ts", () => ({ runDoctor: async () => [finding] }));
  vi.resetModules();
  const { runCli } = await import("../../cli/run.ts");
  const cli = {
    untilStopped: unused,
    startService: unused,
    loadConfig: async () => readConfig({ env: {}, envFile: "none" }),
    openContext: unused,
    migrate: unused,
    stdin: new PassThrough(),
    stdout,
    stderr,
  };
  expect(await runCli(["doctor", "--json"], cli)).toBe(exitCode);
  stdout.end();
  expect(JSON.parse(await text(stdout))).toEqual([finding]);
  vi.doUnmock("./doctor.ts");
});

test("SQL users that can call functions which stop the service are a warning", async () => {
  expect(stateOf(await look(), "SQL users")).toBeUndefined();
  const { id: workspaceId } = await aWorkspace(context.database);
  const deps = { ...context, actor: "test" };
  const { id } = await createSqlUser(deps, { workspaceId, name: "bi" });
  expect(stateOf(await look(), "SQL users")).toMatchObject({
    state: "warning",
    detail: expect.stringContaining("docs/sql.md"),
  });
  await removeSqlUser(deps, { id });
});

test("a mail server is greeted and signed in to, and a wrong password is named", async () => {
  const user = { name: "starpost", password: "right" };
  const server = await openMailServer({ user });
  const smtpUrl = (password: string) => `smtp://starpost:${password}@127.0.0.1:${server.port}`;
  const good = await look({ ...mail, SMTP_URL: smtpUrl("right") });
  expect(stateOf(good, "mail server")).toMatchObject({
    state: "ok",
    detail: `127.0.0.1:${server.port} accepts the user`,
  });
  const bad = stateOf(await look({ ...mail, SMTP_URL: smtpUrl("hunter2") }), "mail server");
  expect(bad).toMatchObject({
    state: "failed",
    detail: expect.stringContaining("user or password"),
  });
  expect(bad?.detail).not.toContain("hunter2");
  expect(server.mails).toHaveLength(0);
  await server.close();
});

test("each host of a channel is asked, and no path of its URL is sent", async () => {
  const paths: (string | undefined)[] = [];
  const endpoint = createServer((request, response) => {
    paths.push(request.url);
    response.writeHead(404).end();
  });
  await new Promise<void>((resolve) => endpoint.listen(0, "127.0.0.1", resolve));
  const origin = `http://127.0.0.1:${(endpoint.address() as AddressInfo).port}`;
  const { id: workspaceId } = await aWorkspace(context.database);
  await saveChannel(context.database, { workspaceId, url: `${origin}/hook/s3cret` });
  const env = { WEBHOOK_ALLOW_HTTP: "true", WEBHOOK_ALLOWED_CIDRS: "127.0.0.0/8" };
  expect(stateOf(await look(env), "channel")).toEqual({
    ...{ check: "channel", state: "ok", detail: `${origin} answers` },
  });
  expect(paths).toEqual(["/"]);
  endpoint.close();
  endpoint.closeAllConnections();
});

test("a sign-in provider is discovered, and settings that leave no way to sign in are faults", async () => {
  const provider = await openOpenIdServer();
  provider.redirectTo("https://reviews.example.com/auth/oidc/callback");
  const client = { OIDC_CLIENT_ID: clientId, OIDC_CLIENT_SECRET: clientSecret };
  const env = { OIDC_ISSUER: provider.issuer, ...client };
  const publicUrl = { PUBLIC_URL: "https://reviews.example.com" };
  try {
    expect(stateOf(await look(), "single sign-on")).toBeUndefined();
    expect(stateOf(await look({ ...env, ...publicUrl }), "single sign-on")).toEqual({
      check: "single sign-on",
      state: "ok",
      detail: `${provider.issuer} was found; it must know https://reviews.example.com/auth/oidc/callback`,
    });
    const wrong = { ...env, ...publicUrl, OIDC_CLIENT_SECRET: "another secret" };
    expect(stateOf(await look(wrong), "single sign-on")).toMatchObject({
      state: "failed",
      detail: expect.stringContaining("doesn't accept the client"),
    });
    // The name of the provider is another one there.
    const other = {
      ...env,
      ...publicUrl,
      OIDC_ISSUER: `${provider.issuer.replace("127.0.0.1", "localhost")}`,
    };
    expect(stateOf(await look(other), "single sign-on")?.state).toBe("failed");
    const faults: [Record<string, string>, string][] = [
      [env, "OIDC_ISSUER needs OIDC_CLIENT_ID and PUBLIC_URL"],
      [{ PASSWORD_SIGN_IN: "false" }, "PASSWORD_SIGN_IN=false needs OIDC_ISSUER"],
      [
        { ...env, ...publicUrl, OIDC_ISSUER: "http://login.example.com" },
        "OIDC_ISSUER must begin with https:// unless it is local",
      ],
    ];
    for (const [more, detail] of faults) {
      expect(stateOf(await look(more), "settings")).toMatchObject({ state: "failed", detail });
    }
  } finally {
    await provider.close();
  }
});

test.each([
  ["127.0.0.1:1", "the connection was refused"],
  ["nowhere.invalid", "the host name nowhere.invalid can't be resolved"],
])("every system at %s has the same sentence", async (host, sentence) => {
  const http = `http://${host}`;
  const findings = await look({
    ...mail,
    DATABASE_URL: `postgresql://a:b@${host}/starpost`,
    SMTP_URL: `smtp://${host}`,
    PUBLIC_URL: "https://reviews.example.com",
    ...{
      OIDC_ISSUER: `https://${host}`,
      OIDC_CLIENT_ID: clientId,
      OIDC_CLIENT_SECRET: clientSecret,
    },
    ...{ TRANSLATE_PROVIDER: "libretranslate", TRANSLATE_URL: http },
    ...{ ANALYSIS_PROVIDER: "openai", ANALYSIS_URL: http, ANALYSIS_MODEL: "any" },
    ITUNES_BASE_URL: http,
    GOOGLE_PLAY_BASE_URL: http,
  });
  const failed = findings.filter(
    ({ check, state }) => state === "failed" && !["clock", "settings"].includes(check),
  );
  expect(failed.map(({ check }) => check)).toEqual([
    ...["database", "mail server", "notifications", "translator", "language model"],
    ...["single sign-on", "App Store feed", "Google Play"],
  ]);
  for (const { check, detail } of failed)
    expect([check, detail]).toEqual([check, expect.stringContaining(sentence)]);
});
