// The remote control of simulated stores: settings, faults and time.
import { afterEach, beforeEach, expect, test } from "vitest";
import { dayMs } from "../src/lib/timestamp.ts";
import { type Simulation, startSimulation } from "./simulate.ts";

let simulation: Simulation;
beforeEach(async () => {
  simulation = await startSimulation({
    port: 0,
    apps: 3,
    reviews: 1_000,
    seed: 1,
    faults: ["server_error"],
  });
});
afterEach(() => simulation.close());

test("faults go on and off while it runs, for the given number of requests", async () => {
  expect(await statusOfFeed()).toBe(502);
  expect(await control("DELETE", "/switches?fault=server_error")).toMatchObject({ switches: [] });
  expect(await statusOfFeed()).toBe(200);
  const rule = { fault: "too_many", retryAfter: "60", when: { kind: "rss" }, times: 1 };
  expect(await control("POST", "/switches", rule)).toMatchObject({ switches: [rule] });
  expect([await statusOfFeed(), await statusOfFeed()]).toEqual([429, 200]);
  expect(await control("GET", "")).toMatchObject({ switches: [], requestCount: 4 });
});

test("time moves forward, and reviews appear", async () => {
  await control("DELETE", "/switches");
  const before = await newestId();
  const { now: earlier } = await control("GET", "");
  const { now } = await control("POST", "/clock", { advanceMs: 60 * dayMs });
  expect(Date.parse(String(now))).toBeGreaterThan(Date.parse(String(earlier)) + 59 * dayMs);
  expect(await newestId()).not.toBe(before);
});

test.each([
  ["/switches", { fault: "no_such" }],
  ["/switches", { fault: "hole", when: { kind: "no_such" } }],
  ["/switches", { fault: "hole", times: 0 }],
  ["/switches", null],
  ["/clock", { advanceMs: -1 }],
  ["/clock", {}],
])("an order to %s that makes no sense is refused: %j", async (path, order) => {
  const body = JSON.stringify(order);
  const response = await fetch(`${simulation.url}/simulator${path}`, { method: "POST", body });
  expect(response.status).toBe(400);
  expect(await response.json()).toMatchObject({ error: expect.any(String) });
});

async function control(method: string, path: string, order?: unknown) {
  const body = order === undefined ? {} : { body: JSON.stringify(order) };
  const response = await fetch(`${simulation.url}/simulator${path}`, { method, ...body });
  expect(response.status).toBe(200);
  return (await response.json()) as Record<string, unknown>;
}

async function statusOfFeed(): Promise<number> {
  return (await fetchFeed()).status;
}

async function newestId(): Promise<unknown> {
  const json = (await (await fetchFeed()).json()) as { feed: { entry: { id: unknown }[] } };
  return json.feed.entry[0]?.id;
}

function fetchFeed(): Promise<Response> {
  const path = `/us/rss/customerreviews/page=1/id=${simulation.apps.appstore}/sortby=mostrecent/json`;
  return fetch(`${simulation.url}${path}`);
}
