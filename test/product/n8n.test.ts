// The nodes for n8n in packaging/n8n, run as n8n runs them: hooks and webhooks with a context of its own, and deliveries that
// the real engine has signed. n8n itself is not installed: test/support/n8n-workflow.ts
// has the part of its package that they use.
import { readFileSync } from "node:fs";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { oneReviewParameters, reviewParameters } from "../../src/api/parameters.ts";
import { alertNames, eventNames } from "../../src/domain/channel/channel.ts";
import { createKey } from "../support/acts.ts";
import { aReviewEvent } from "../support/channel-events.ts";
import { type ChannelWorld, openChannelWorldWithReceiver } from "../support/channel-world.ts";
import { anApp, aReview, saveReviews } from "../support/factories.ts";
import { NodeApiError } from "../support/n8n-workflow.ts";
import type { Receiver } from "../support/receiver.ts";
import { startTestService } from "../support/service.ts";

const folder = new URL("../../packaging/n8n/", import.meta.url);

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

const takeAnswer = async (_: Call): Promise<object> => {
  const next = answers.shift() ?? {};
  if (next instanceof Error) throw next;
  return next;
};
let answer = takeAnswer;
let answers: (object | Error)[] = [];
let webhookUrl = "";
let baseUrl = "https://starpost.example/";
let stored: Record<string, unknown> = {};
afterEach(() => {
  answer = takeAnswer;
  answers = [];
  stored = {};
});

const parameters: Record<string, unknown> = {
  ...{ events: ["review.created"], stars: [1, 2], filter: "country=de" },
};
const hooks = {
  getWorkflowStaticData: () => stored,
  getNodeParameter: (name: string) => parameters[name],
  getNodeWebhookUrl: () => webhookUrl,
  getWorkflow: () => ({ name: "Angry mail" }),
  getCredentials: async () => ({ baseUrl }),
  getNode: () => ({}),
  helpers: {
    httpRequestWithAuthentication: (_: string, call: Call) => answer(call),
  },
};
const run = (name: "checkExists" | "create" | "delete") =>
  trigger.webhookMethods.default[name].call(hooks);
const missing = Object.assign(new Error("gone"), { httpCode: "404" });

describe("the trigger", () => {
  test("creates its channel by the API, finds it again, and deletes it", async () => {
    const service = await startTestService({ storesUrl: "http://127.0.0.1:1" });
    const { workspaceId } = service;
    const actor = { ...service.deps, actor: "test" };
    const { key } = await createKey(actor, { workspaceId, name: "n8n", scope: "manage" });
    answer = async ({ method, url, body }) => {
      const response = await fetch(`${service.url}${new URL(url).pathname}`, {
        method,
        headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
        ...(body ? { body: JSON.stringify(body) } : {}),
      });
      const text = await response.text();
      if (!response.ok) throw new Error(text);
      return text === "" ? {} : JSON.parse(text);
    };
    webhookUrl = receiver.url;
    const list = () => service.deps.database.listChannels({ workspaceId });
    expect(await run("checkExists")).toBe(false);
    expect(await run("create")).toBe(true);
    expect(await run("checkExists")).toBe(true);
    const [channel] = await list();
    expect(channel).toMatchObject({ name: "n8n: Angry mail", stars: [1, 2], filter: "country=de" });
    expect(stored).toEqual({ channelId: channel?.id, secret: expect.stringMatching(/^whsec_/) });
    expect(await run("delete")).toBe(true);
    expect([stored, await list()]).toEqual([{}, []]);
    await service.close();
  });

  test.each([
    ["another host", "https://n8n.example.com/webhook/1/starpost"],
    ["another port", "http://127.0.0.1:5678/webhook/1/starpost"],
    ["a path before it", "http://127.0.0.1/n8n/webhook/1/starpost"],
  ])("moves its channel when n8n has %s", async (_, moved) => {
    const settings = { events: ["review.created"], stars: [1, 2], filter: "country=de" };
    const url = "http://127.0.0.1/webhook/1/starpost";
    stored = { channelId: "c-1", secret: "x" };
    webhookUrl = moved;
    const calls: [string, string][] = [];
    answer = async ({ method, url: address }) => {
      calls.push([method, new URL(address).pathname]);
      return { channel: { id: "c-1", url, ...settings } };
    };
    expect(await run("checkExists")).toBe(true);
    expect(calls).toEqual([
      ["GET", "/api/v1/channels/c-1"],
      ["PATCH", "/api/v1/channels/c-1"],
    ]);
  });

  test.each([
    ["was lost here", { failingReason: null }, {}, "new"],
    ["was replaced in Starpost", { failingReason: "HTTP 401" }, { secret: "x" }, "new"],
    ["is right while n8n is away", { failingReason: "HTTP 503" }, { secret: "x" }, "x"],
    ["is right", { failingReason: null }, { secret: "x" }, "x"],
  ])("where the secret %s, it is replaced only if it has to be", async (_, state, kept, secret) => {
    webhookUrl = "https://n8n.example.com/webhook/1/starpost";
    stored = { channelId: "c-1", ...kept };
    const settings = { events: ["review.created"], stars: [1, 2], filter: "country=de" };
    const calls: string[] = [];
    answer = async ({ method, url }) => {
      calls.push(`${method} ${new URL(url).pathname}`);
      return { channel: { id: "c-1", url: webhookUrl, ...settings, ...state }, secret: "new" };
    };
    expect(await run("checkExists")).toBe(true);
    expect(stored).toEqual({ channelId: "c-1", secret });
    const rotated = secret === "new" ? ["POST /api/v1/channels/c-1/rotate-secret"] : [];
    expect(calls).toEqual(["GET /api/v1/channels/c-1", ...rotated]);
  });

  test.each(["", "/", "/api/v1", "/api/v1/"])(
    "finds the API at an address that ends with %j",
    async (end) => {
      baseUrl = `https://starpost.example${end}`;
      stored = { channelId: "c-1", secret: "x" };
      let requested = "";
      answer = async ({ url }) => {
        requested = url;
        throw missing;
      };
      expect(await run("checkExists")).toBe(false);
      expect(requested).toBe("https://starpost.example/api/v1/channels/c-1");
    },
  );

  test("a copied workflow makes a channel of its own, and one whose answer was lost is replaced", async () => {
    webhookUrl = "https://n8n.example.com/webhook/2/starpost";
    stored = { channelId: "c-1", secret: "x" };
    const channels = [
      { id: "c-1", url: "https://n8n.example.com/webhook/1/starpost" },
      { id: "c-2", url: webhookUrl },
    ];
    answers = [{ channel: channels[0] ?? {} }];
    expect(await run("checkExists")).toBe(false);
    const calls: string[] = [];
    answer = async ({ method, url }) => {
      calls.push(`${method} ${new URL(url).pathname}`);
      return { channels, channel: { id: "c-3" }, secret: "y" };
    };
    expect(await run("create")).toBe(true);
    expect(calls).toEqual([
      "GET /api/v1/channels",
      "DELETE /api/v1/channels/c-2",
      "POST /api/v1/channels",
    ]);
    expect(stored).toEqual({ channelId: "c-3", secret: "y" });
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

describe("the node", () => {
  type Property = { name: string; value?: string; options?: Property[]; routing?: Loaded };
  /** As n8n does: text that begins with `=` is a template of expressions. */
  const evaluate = (text: unknown, scope: Record<string, unknown>): unknown => {
    if (typeof text !== "string" || !text.startsWith("=")) return text;
    const run = (code: string) => new Function(...Object.keys(scope), `return ${code}`);
    const [whole, only] = /^=\{\{(.*)\}\}$/s.exec(text) ?? [];
    if (whole !== undefined && !only?.includes("{{"))
      return run(only ?? "")(...Object.values(scope));
    return text.slice(1).replace(/\{\{(.*?)\}\}/g, (_, code) => run(code)(...Object.values(scope)));
  };

  /** The request of an operation of the resource `review`. */
  function requestOf(operation: string, $parameter: Record<string, unknown>) {
    const { properties }: { properties: Loaded[] } = new Starpost().description;
    const isShown = ({ displayOptions: { show = {} } = {} }: Loaded) =>
      (show.resource ?? ["review"]).includes("review") &&
      (show.operation ?? [operation]).includes(operation);
    const shown: Property[] = properties.filter(isShown);
    const list = shown.find(({ name }) => name === "operation")?.options ?? [];
    const { request } = list.find(({ value }) => value === operation)?.routing ?? {};
    const body: Record<string, unknown> = {};
    for (const [name, value] of Object.entries(request.body ?? {}))
      body[name] = evaluate(value, { $parameter });
    const entered = { ...$parameter, ...($parameter["changes"] as object | undefined) };
    for (const { name, routing } of shown.flatMap((one) =>
      one.name === "changes" ? (one.options ?? []) : [one],
    )) {
      if (routing?.send?.type !== "body" || !(name in entered)) continue;
      const $value = entered[name as keyof typeof entered];
      const { property, value = $value } = routing.send;
      body[property] = evaluate(value, { $value, $parameter });
    }
    return { method: request.method, url: evaluate(request.url, { $parameter }), body };
  }

  test("tags, assigns, notes and closes a review", async () => {
    const service = await startTestService({ storesUrl: "http://127.0.0.1:1" });
    const { workspaceId, deps } = service;
    const app = await anApp(deps.database, { workspaceId });
    const [review] = await saveReviews(deps.database, app, [aReview()]);
    const reviewId = review?.id ?? "";
    const input = { workspaceId, name: "n8n", scope: "manage" };
    const { key } = await createKey({ ...deps, actor: "test" }, input);
    const send = async (operation: string, parameters: Record<string, unknown>) => {
      const { method, url, body } = requestOf(operation, { reviewId, ...parameters });
      const response = await fetch(`${service.url}/api/v1${url}`, {
        method,
        headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
        body: JSON.stringify(body),
      });
      return [response.status, await response.json()];
    };
    const changes = { addedTags: "crash, login", removedTags: "", assignee: "", isDone: true };
    expect(await send("update", { changes })).toMatchObject([
      200,
      { review: { tags: ["crash", "login"], assignee: null, isDone: true } },
    ]);
    expect(await send("addNote", { note: "Fixed" })).toMatchObject([
      201,
      { note: { text: "Fixed" } },
    ]);
    await service.close();
  });
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
