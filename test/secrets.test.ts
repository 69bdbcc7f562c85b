// Secrets where they don't belong: after a day of ordinary and failed use, neither the log at its most talkative level,
// nor any row of the database, the metrics, an export or the delivery log has one as it was entered or shown.
import { generateKeyPairSync } from "node:crypto";
import pg from "pg";
import { pino } from "pino";
import { expect, test } from "vitest";
import { channelDefaults } from "../src/domain/channel/channel.ts";
import { writeBackup } from "../src/features/backup/write-backup.ts";
import { exportSetup } from "../src/features/setup-document/export-setup.ts";
import { openDashboardFixture, password } from "./support/dashboard.ts";
import { type Decide, openReceiver } from "./support/receiver.ts";
import type { TestService } from "./support/service.ts";

const token = "tok_invented-0123456789abcdef";

/** A service that repeats what it refuses. */
const echo: Decide = ({ headers, path }) => ({
  kind: "status",
  status: 401,
  body: JSON.stringify({ error: `${headers["authorization"]} ${path}`, id: token }),
});

const metricsEnv = { METRICS_PORT: "0", METRICS_HOST: "127.0.0.3" };

test("passwords, keys, tokens and secrets are in no line of the log and in no row", async () => {
  const endpoint = await openReceiver({ reply: echo });
  const lines: string[] = [];
  const log = pino({ level: "trace" }, { write: (line: string) => void lines.push(line) });
  const world = await openDashboardFixture({
    log,
    env: { ...metricsEnv, ROLES: "dashboard,api,deliver" },
  });
  try {
    const owner = await world.signIn({ email: "owner@example.com" });
    const base = `/workspaces/${world.service.workspaceId}`;
    const make = async (path: string, body?: unknown) => {
      const { status, json, text } = await owner.post(`${base}${path}`, body);
      expect(status, `${path}: ${text}`).toBe(200);
      return json;
    };
    const webhook = { ...channelDefaults, name: "All", url: "http://127.0.0.1:9/hook" };
    const { channel, secret } = await make("/channels", webhook);
    await make(`/channels/${channel.id}/test`);
    const hook = `${endpoint.url}/secret-path-0123456789`;
    const request = { method: "POST", body: "{}", errorAt: "/error", idAt: "/id" };
    const headers = "Authorization: Bearer {{token}}";
    const http = { ...channelDefaults, type: "http", name: "Http", url: hook, headers, token };
    const { channel: httpChannel } = await make("/channels", { ...http, request });
    await make(`/channels/${httpChannel.id}/test`);
    await endpoint.waitFor(1);
    const listed = async () =>
      (await owner.get(`${base}/channels/${httpChannel.id}/deliveries`)).text;
    await expect.poll(listed).toContain("the answer has an error");
    const { key } = await make("/keys", { name: "Key" });
    const { link } = await make("/invitations", { email: null, role: "member" });
    const { privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
    const keyFile = String(privateKey.export({ type: "pkcs8", format: "pem" }));
    const names = { keyId: "AB12CD34EF", issuerId: null, bucket: null };
    await make("/credentials", { store: "appstore", name: "Team key", keyFile, ...names });
    const { views } = await make("/views", { name: "Bad", query: "rating=1" });
    const feed = { kind: "feed", viewId: views[0].id, days: 30 };
    const feedPath: string = (await make("/links", feed)).path;
    const shared = { kind: "overview", query: "", isFrozen: true, days: 30 };
    const sharedToken: string = (await make("/links", shared)).path.split("#")[1];
    expect((await world.newClient().post("/shared", { token: sharedToken })).status).toBe(200);
    const cookies = owner.cookie().split("; ");
    const wrong = "An-entirely-wrong-password-7";
    const signIn = { email: "owner@example.com", password: wrong };
    expect((await world.newClient().post("/session/sign-in", signIn)).status).toBe(401);
    const guess = `${key.slice(0, -6)}guess1`;
    for (const one of [key, guess]) {
      await fetch(`${world.service.url}/api/v1/apps`, {
        headers: { authorization: `Bearer ${one}` },
      });
    }
    await fetch(`${world.service.url}${feedPath}`);
    const secrets = {
      password,
      wrong,
      key,
      guess,
      invitation: link.split("#")[1],
      secret,
      keyFile: keyFile.split("\n")[1],
      sharedToken,
      token,
      hookPath: "secret-path-0123456789",
      feedToken: feedPath.slice("/feeds/".length),
      ...Object.fromEntries(cookies.map((cookie) => [cookie.split("=")[0], cookie.split("=")[1]])),
    };
    expect(Object.values(secrets).filter((text) => String(text).length < 12)).toEqual([]);
    expect(lines.length).toBeGreaterThan(3);
    const rows = await readRows(String(world.service.deps.config.databaseUrl));
    expect(rows.length).toBeGreaterThan(20);
    const shown = [
      await listed(),
      (await owner.get(`${base}/channels`)).text,
      (await owner.get(`${base}/audit`)).text,
      await (await fetch(String(world.service.metricsUrl))).text(),
      JSON.stringify(await exportSetup(world.service.deps.database, world.service)),
      await readBackup(world.service),
    ];
    for (const [name, text] of Object.entries(secrets)) {
      const isIn = (line: string) => line.includes(String(text));
      expect(lines.filter(isIn), name).toEqual([]);
      expect(rows.filter(isIn), name).toEqual([]);
      expect(shown.filter(isIn), name).toEqual([]);
    }
  } finally {
    await world.close();
    await endpoint.close();
  }
});

async function readBackup({ deps }: TestService): Promise<string> {
  const connection = { connectionString: String(deps.config.databaseUrl) };
  const backup = writeBackup({ connection, now: deps.clock.now(), onTable() {}, formatKeys: null });
  let text = "";
  for await (const bytes of backup) text += bytes.toString("utf8");
  return text;
}

/** Each row as text, with the name of its table. */
async function readRows(connectionString: string): Promise<string[]> {
  const client = new pg.Client(connectionString);
  await client.connect();
  try {
    const { rows: tables } = await client.query<{ name: string }>(
      "select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r'",
    );
    const found: string[] = [];
    for (const { name } of tables) {
      const { rows } = await client.query<{ text: string }>(
        `select to_jsonb(t)::text as text from ${pg.escapeIdentifier(name)} t`,
      );
      found.push(...rows.map(({ text }) => `${name} ${text}`));
    }
    return found;
  } finally {
    await client.end();
  }
}
