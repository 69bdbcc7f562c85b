// The demo as users run it: stopped while it prepares it ends at once and goes on the next time, its story is in
// its data, and the service starts afterwards.
import fs from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startService } from "../../src/app/service.ts";
import { readConfig } from "../../src/config/config.ts";
import { type Verdict, verdictSchema } from "../../src/domain/changes/verdict.ts";
import { type Demo, type DemoOptions, startDemo } from "../../src/features/demo/demo.ts";
import { silentLog } from "../../src/lib/log.ts";
import { createDashboardClient } from "../support/dashboard.ts";
import { openReceiver, type Receiver } from "../support/receiver.ts";
import { waitFor } from "../support/wait-for.ts";

let folder: string;
let demo: Demo;
let receiver: Receiver;
const lines: string[] = [];

beforeAll(async () => {
  folder = await fs.mkdtemp(path.join(os.tmpdir(), "starpost-demo-"));
  receiver = await openReceiver();
});
afterAll(async () => {
  await demo?.close();
  await receiver?.close();
  await fs.rm(folder, { recursive: true });
});

function configOf() {
  const env = { DATA_DIR: path.join(folder, "data"), PORT: "0" };
  return readConfig({ envFile: path.join(folder, "none"), env });
}

function start(options: Partial<DemoOptions>): Promise<Demo> {
  return startDemo({
    // Settings of a real service in the same folder, none of which the demo may take over.
    config: { ...configOf(), publicUrl: "https://reviews.example.com", embeddedSqlPort: 1 },
    log: silentLog,
    print: (line) => void lines.push(line),
    webhookUrl: null,
    // The whole story and twelve weeks before it, without the two years.
    pastDays: 100,
    signal: new AbortController().signal,
    ...options,
  });
}

describe("one run of the demo", { shuffle: false }, () => {
  test("stopped while it collects, it ends there, and the next run goes on with the same workspace", async () => {
    const stopping = new AbortController();
    const print = (line: string): void => {
      if (line.startsWith("collecting")) stopping.abort();
    };
    await expect(start({ print, signal: stopping.signal })).rejects.toMatchObject({
      name: "AbortError",
    });
    demo = await start({ webhookUrl: `${receiver.url}/mine` });
    const apps = await get("/api/v1/apps");
    expect(apps.map(({ name }) => name).sort()).toEqual([
      "Driftnote: Daily Planner",
      "Driftnote: Daily Planner",
      "Driftnote: Web Clipper",
      "Tidelist: Grocery Lists",
    ]);
    expect(lines.join("\n")).toContain("What next");
    expect(lines.join("\n")).not.toContain("reviews.example.com");
  });

  test("its icons load, and its events reach the user's endpoint", async () => {
    const [app] = await get("/api/v1/apps");
    const icon = await fetch(app?.appIcon ?? "");
    expect(icon.headers.get("content-type")).toBe("image/png");
    expect(
      Buffer.from(await icon.arrayBuffer())
        .subarray(1, 4)
        .toString(),
    ).toBe("PNG");
    const [event] = await receiver.waitFor(1, 60_000);
    expect(event?.path).toBe("/hook/mine");
  });

  test("the battery story is in the reviews: complaints since a release, and its fix", async () => {
    const versions = await get("/api/v1/reviews?topic=battery&limit=100");
    const complaints = versions.filter(({ rating }) => rating <= 3);
    expect(complaints.length).toBeGreaterThan(20);
    expect(complaints.some(({ translatedText }) => translatedText?.includes("battery"))).toBe(true);
    const fixes = versions.filter(({ rating, text }) => rating >= 4 && text.includes(".1 fixed"));
    expect(fixes.length).toBeGreaterThan(0);
  });

  test("the release that drains the battery is worse, by complaints of the battery, and its fix never", async () => {
    const apps = (await get("/api/v1/apps")).filter(({ name }) => name.endsWith("Planner"));
    for (const { id } of apps) {
      const complaints = await get(`/api/v1/reviews?app=${id}&topic=battery&rating=1&limit=100`);
      const [drain = ""] = complaints.map(({ version }) => version).filter((one) => one !== "");
      const draining = await readVerdict(id, drain);
      expect(draining).toMatchObject({ result: "worse", version: drain });
      expect(draining.words).toMatch(
        /^After \d+ reviews over \d+ (hours|days): \d+ of \d+ complain about the battery/,
      );
      const batteryIds = (await get(`/api/v1/reviews?app=${id}&topic=battery&limit=100`)).map(
        (review) => review.id,
      );
      expect(batteryIds).toEqual(expect.arrayContaining(draining.reviewIds));
      const fix = await readVerdict(id, drain.replace(/0$/, "1"));
      expect(["fine", "undecided"]).toContain(fix.result);
    }
  });

  test("the failing channel has given up on some deliveries, which name their reviews", async () => {
    const client = createDashboardClient(demo.url);
    const [, email, password] = /\((\S+@\S+), (\S+)\)/.exec(lines.join("\n")) ?? [];
    expect((await client.post("/session/sign-in", { email, password })).status).toBe(200);
    const { workspaceId } = (await client.get("/session")).json;
    const base = `/workspaces/${workspaceId}/channels`;
    const { channels } = (await client.get(base)).json;
    const failing = channels.find(({ url }: { url: string }) => url.endsWith("/closed"));
    const readExpired = async () =>
      (await client.get(`${base}/${failing.id}/deliveries?status=expired`)).json.deliveries;
    await waitFor(async () => (await readExpired()).length === 3, {
      what: () => "three expired deliveries",
      withinMs: 60_000,
    });
    for (const { subject } of await readExpired()) expect(subject.review.rating).toBeLessThan(4);
  });

  test("the service starts beside what the demo left", async () => {
    const service = await startService({ config: configOf(), log: silentLog });
    await service.close();
    expect((await fs.readdir(folder)).sort()).toEqual(["data", "data-demo"]);
  });
});

type Item = {
  id: string;
  name: string;
  version: string;
  appIcon: string;
  rating: number;
  text: string;
  translatedText: string | null;
};

async function get(pathAndQuery: string): Promise<Item[]> {
  // A response has its list first, under the name of what it lists.
  return Object.values((await getJson(pathAndQuery)) as Record<string, Item[]>)[0] ?? [];
}

async function readVerdict(app: string, version: string): Promise<Verdict> {
  return verdictSchema.parse(await getJson(`/api/v1/releases/${version}/verdict?app=${app}`));
}

async function getJson(pathAndQuery: string): Promise<unknown> {
  const key = / API key {3}(\S+)/.exec(lines.join("\n"))?.[1] ?? "";
  const headers = { authorization: `Bearer ${key}` };
  const response = await fetch(`${demo.url}${pathAndQuery}`, { headers });
  expect(response.status).toBe(200);
  return response.json();
}
