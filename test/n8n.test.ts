// The nodes for n8n in packaging/n8n, run as n8n runs them: hooks and webhooks with a context of its own, and deliveries that
// the real engine has signed. n8n itself is not installed: test/support/n8n-workflow.ts
// has the part of its package that they use.
import { readFileSync } from "node:fs";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { oneReviewParameters, reviewParameters } from "../src/api/parameters.ts";
import { alertNames, eventNames } from "../src/domain/channel.ts";
import { aReviewEvent } from "./support/channel-events.ts";
import { type ChannelWorld, openChannelWorldWithReceiver } from "./support/channel-world.ts";
import { NodeApiError } from "./support/n8n-workflow.ts";
import type { Receiver } from "./support/receiver.ts";

const folder = new URL("../packaging/n8n/", import.meta.url);

type Call = { method: string; url: string; body?: Record<string, unknown> };
// biome-ignore lint/suspicious/noExplicitAny: the nodes have the types of a package that is not installed.
type Loaded = any;

/** Without types: they are of a package that is not installed. */
const load = (path: string): Promise<Loaded> => import(new URL(path, folder).pathname);

const { StarpostTrigger } = await load("nodes/StarpostTrigger/StarpostTrigger.node.ts");
const { Starpost } = await load("nodes/Starpost/Starpost.node.ts");
const trigger = new StarpostTrigger();

let world: ChannelWorld;
let receiver: Receiver;
beforeEach(async () => {
  const opened = await openChannelWorldWithReceiver();
  ({ world, receiver } = opened);
  return opened.close;
});

let calls: Call[] = [];
let answers: (object | Error)[] = [];
let stored: Record<string, unknown> = {};
afterEach(() => {
  calls = [];
  answers = [];
  stored = {};
});

const parameters: Record<string, unknown> = {
  ...{ events: ["review.created"], stars: [1, 2], filter: "country=de" },
};
const hooks = {
  getWorkflowStaticData: () => stored,
  getNodeParameter: (name: string) => parameters[name],
  getNodeWebhookUrl: () => "https://n8n.example/webhook/1",
  getWorkflow: () => ({ name: "Angry mail" }),
  getCredentials: async () => ({ baseUrl: "https://starpost.example/" }),
  getNode: () => ({}),
  helpers: {
    httpRequestWithAuthentication: async (_: string, call: Call) => {
      calls.push(call);
      const answer = answers.shift() ?? {};
      if (answer instanceof Error) throw answer;
      return answer;
    },
  },
};
const run = (name: "checkExists" | "create" | "delete") =>
  trigger.webhookMethods.default[name].call(hooks);
const missing = Object.assign(new Error("gone"), { httpCode: "404" });

describe("the trigger", () => {
  test("creates its channel, finds it again, and deletes it", async () => {
    expect(await run("checkExists")).toBe(false);
    answers = [{ id: "c-1", secret: "whsec_x" }, { url: "https://n8n.example/webhook/1" }];
    expect(await run("create")).toBe(true);
    expect(await run("checkExists")).toBe(true);
    expect(await run("delete")).toBe(true);
    expect(stored).toEqual({});
    expect(calls.map(({ method, url }) => `${method} ${url}`)).toEqual([
      "POST https://starpost.example/api/v1/channels",
      "GET https://starpost.example/api/v1/channels/c-1",
      "DELETE https://starpost.example/api/v1/channels/c-1",
    ]);
    expect(calls[0]?.body).toEqual({
      ...{ name: "n8n: Angry mail", url: "https://n8n.example/webhook/1" },
      ...{ events: ["review.created"], stars: [1, 2], filter: "country=de" },
    });
  });

  test("creates it again when it was deleted in Starpost, and reports any other failure", async () => {
    stored = { channelId: "c-1", secret: "x" };
    answers = [missing, missing];
    expect(await run("checkExists")).toBe(false);
    expect(await run("delete")).toBe(true);
    stored = { channelId: "c-1", secret: "x" };
    answers = [new Error("HTTP 500"), new Error("HTTP 500")];
    await expect(run("checkExists")).rejects.toThrow(NodeApiError);
    await expect(run("delete")).rejects.toThrow(NodeApiError);
    expect(stored).toHaveProperty("channelId");
  });

  test("takes what Starpost has signed, and refuses everything else", async () => {
    const { channel, secret } = await world.addChannel({ url: receiver.url });
    const body = Buffer.from(JSON.stringify(aReviewEvent()));
    world.clock.set(new Date());
    await world.queue(channel, 1, { body });
    const [delivered] = await Promise.all([receiver.waitFor(1), world.run().outcomes.waitFor(1)]);
    const [request] = delivered;
    if (!request) throw new Error("nothing came");
    stored = { channelId: channel.id, secret };
    const receive = async (change: { headers?: object; rawBody?: Buffer } = {}) => {
      let status = 0;
      const result = await trigger.webhook.call({
        ...hooks,
        getRequestObject: () => ({ rawBody: change.rawBody ?? request.body }),
        getHeaderData: () => ({ ...request.headers, ...change.headers }),
        getBodyData: () => JSON.parse(String(request.body)),
        getResponseObject: () => ({
          status(code: number) {
            status = code;
            return { json: () => {} };
          },
        }),
      });
      return { status, result };
    };
    const taken = await receive();
    expect(taken.result.workflowData[0][0].json).toMatchObject({ event: "review.created" });
    const refused = [
      { rawBody: Buffer.concat([request.body, Buffer.from(" ")]) },
      { headers: { "webhook-signature": undefined } },
      { headers: { "webhook-signature": "v1,AAAA" } },
      { headers: { "webhook-id": "other" } },
      { headers: { "webhook-timestamp": String(Math.round(Date.now() / 1_000) - 301) } },
      { headers: { "webhook-timestamp": "soon" } },
    ];
    for (const change of refused) expect((await receive(change)).status).toBe(401);
    stored = {};
    expect((await receive()).status).toBe(401);
  });

  test("offers every event of a webhook", () => {
    const events = trigger.description.properties.find(
      ({ name }: { name: string }) => name === "events",
    );
    const values = events.options.map(({ value }: { value: string }) => value);
    expect(values.sort()).toEqual([...eventNames, ...alertNames].sort());
  });
});

test("the node for reading sends parameters that the API has", () => {
  const { properties, requestDefaults } = new Starpost().description;
  expect(requestDefaults.baseURL).toContain("/api/v1");
  const { options } = properties.find(({ name }: { name: string }) => name === "filters");
  const names = options.map(({ name }: { name: string }) => name);
  expect(Object.keys(reviewParameters.shape)).toEqual(expect.arrayContaining(names));
  expect(Object.keys(oneReviewParameters.shape)).toEqual(["review"]);
});

test("the package has no run-time dependencies and names files that it builds", () => {
  const manifest = JSON.parse(readFileSync(new URL("package.json", folder), "utf8"));
  expect(manifest).not.toHaveProperty("dependencies");
  expect(manifest.version).toBe(
    JSON.parse(readFileSync(new URL("../../package.json", folder), "utf8")).version,
  );
  for (const built of [...manifest.n8n.nodes, ...manifest.n8n.credentials]) {
    const source = built.replace(/^dist\//, "").replace(/\.js$/, ".ts");
    expect(readFileSync(new URL(source, folder), "utf8")).toContain("export class");
  }
});
