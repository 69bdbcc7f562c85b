// The single routes of the set-up, and the headers that guard changes.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { aKey } from "../../../test/support/factories.ts";
import {
  bodies,
  bodyOf,
  fill,
  hook,
  type ManageContext,
  noId,
  openManageContext,
} from "../../../test/support/manage-context.ts";
import { channelDefaults } from "../../domain/channel/channel.ts";
import { manageRoutes } from "./routes.ts";

let world: ManageContext;
beforeAll(async () => {
  world = await openManageContext();
});
beforeEach(() => world.renew());
afterAll(() => world.close());

describe("channels", () => {
  test("a channel has the defaults of every other way to create one, and is read as it was entered", async () => {
    const { channel, secret, warning } = await world.call("POST", "/channels", {
      name: "Desk",
      url: hook,
    });
    expect(secret).toMatch(/^whsec_/);
    expect(warning).toBeNull();
    expect(channel).toMatchObject({ type: "webhook", url: hook, events: channelDefaults.events });
    expect((await world.call("GET", `/channels/${channel.id}`)).channel).toEqual(channel);
    expect(await world.call("GET", "/channels")).toEqual({ channels: [channel] });
    const { id, createdAt, failingSince, failingReason, ...entered } = channel;
    const { channel: copy } = await world.call("POST", "/channels", { ...entered, name: "Copy" });
    expect(copy).toEqual({ ...channel, id: copy.id, name: "Copy", createdAt: copy.createdAt });
  });

  test("fields that are left out of a change stay", async () => {
    const { channel } = await world.call("POST", "/channels", {
      name: "Desk",
      url: hook,
      stars: [1],
    });
    const changed = await world.call("PATCH", `/channels/${channel.id}`, { isPaused: true });
    expect(changed).toEqual({ channel: { ...channel, isPaused: true }, warning: null });
  });

  test("the secret is shown when a webhook is created and rotated, and to the same request again", async () => {
    const headers = { "idempotency-key": "create" };
    const body = { name: "Desk", url: hook };
    const created = await world.send("POST", "/channels", { body, headers });
    const { channel, secret } = Object(created.json);
    expect((await world.send("POST", "/channels", { body, headers })).text).toBe(created.text);
    const seen = [
      await world.send("GET", "/channels"),
      await world.send("GET", `/channels/${channel.id}`),
    ];
    seen.push(await world.send("PATCH", `/channels/${channel.id}`, { body: { name: "Help" } }));
    for (const { text } of seen) expect(text).not.toContain("whsec_");
    const path = `/channels/${channel.id}/rotate-secret`;
    const rotated = await world.send("POST", path, { headers: { "idempotency-key": "rotate" } });
    expect(Object(rotated.json).secret).not.toBe(secret);
    const again = await world.send("POST", path, { headers: { "idempotency-key": "rotate" } });
    expect(again.text).toBe(rotated.text);
    const { rows } = await world.queryDatabase("select answer from idempotency_keys");
    expect(JSON.stringify(rows)).not.toContain("whsec_");
  });

  test("a token, and a URL that is a secret, are never shown", async () => {
    const url = "https://hooks.slack.com/services/T0/B0/abcdefgh";
    const slack = await world.send("POST", "/channels", {
      body: { name: "Slack", type: "slack", url },
    });
    expect(Object(slack.json).channel.url).toBe("https://hooks.slack.com/…efgh");
    const token = "123456:ABCDEFGHIJKLMNOPQRSTUVWXYZ";
    const body = { name: "Telegram", type: "telegram", token, chat: "@tide" };
    const telegram = await world.send("POST", "/channels", { body });
    expect(Object(telegram.json).channel).toMatchObject({ chat: "@tide" });
    for (const { status, text } of [slack, telegram, await world.send("GET", "/channels")]) {
      expect(status).toBeLessThan(300);
      expect(text).not.toMatch(/abcdefgh|ABCDEFGH|whsec_/);
    }
  });

  test.each([
    ["url", { name: "Desk", url: "http://169.254.169.254/latest" }],
    ["url", { name: "Desk" }],
    ["apps", { name: "Desk", url: hook, apps: [noId] }],
    ["topics", { name: "Desk", url: hook, topics: ["unheard_of"] }],
    ["dropThreshold", { name: "Desk", url: hook, dropThreshold: 9 }],
    ["name", { url: hook }],
  ])("%s is refused by its name", async (field, body) => {
    const { status, json } = await world.send("POST", "/channels", { body });
    expect([400, 404]).toContain(status);
    expect(Object(json).errors).toContainEqual(expect.objectContaining({ parameter: field }));
    expect(await world.call("GET", "/channels")).toEqual({ channels: [] });
  });

  test("deliveries are listed in pages, and sent again", async () => {
    const { channel } = await world.call("POST", "/channels", { name: "Desk", url: hook });
    const sent = [];
    for (let count = 0; count < 3; count += 1) {
      sent.unshift((await world.call("POST", `/channels/${channel.id}/test`)).deliveryId);
    }
    const path = `/channels/${channel.id}/deliveries`;
    const first = await world.call("GET", `${path}?limit=2`);
    const second = await world.call("GET", `${path}?limit=2&before=${first.nextBefore}`);
    const listed = [...first.deliveries, ...second.deliveries];
    expect(listed.map(({ id }) => id)).toEqual(sent);
    expect(second.nextBefore).toBeNull();
    expect(await world.call("POST", `/deliveries/${sent[0]}/redeliver`)).toEqual({ queued: 1 });
    expect(await world.call("POST", `/channels/${channel.id}/redeliver-expired`)).toEqual({
      queued: 0,
    });
    for (const query of ["limit=0", "limit=101", "limit=x", "status=odd", "before=x"]) {
      expect((await world.send("GET", `${path}?${query}`)).status, query).toBe(400);
    }
  });
});

describe("other resources", () => {
  test("an app is followed, changed and unfollowed, and stays in the list of the read API meanwhile", async () => {
    const body = { store: "appstore", externalAppId: "4242", countries: ["US", "gb"] };
    const created = await world.send("POST", "/apps", { body });
    const { app } = Object(created.json);
    expect(app).toMatchObject({ name: "App 4242", countries: ["us", "gb"], isCollected: true });
    expect(created.headers.get("location")).toBe(`/api/v1/apps/${app.id}`);
    expect((await world.call("GET", "/apps")).apps).toEqual([
      { id: app.id, name: "App 4242", store: "appstore", externalAppId: "4242", appIcon: "" },
    ]);
    const change = { name: "Tide", countries: ["de"] };
    expect((await world.call("PATCH", `/apps/${app.id}`, change)).app).toEqual({
      ...app,
      ...change,
    });
    const twice = await world.send("POST", "/apps", { body });
    expect(twice).toMatchObject({ status: 409, json: { code: "conflict" } });
    const odd = await world.send("POST", "/apps", { body: { ...body, externalAppId: "no id" } });
    expect(Object(odd.json).errors).toEqual([
      { parameter: "externalAppId", message: "is no id of an app" },
    ]);
    await world.call("DELETE", `/apps/${app.id}`);
    expect((await world.send("GET", `/apps/${app.id}`)).status).toBe(404);
  });

  test("a topic that a channel filters by stays", async () => {
    const { topic } = await world.call("POST", "/own-topics", bodies["post /own-topics"]);
    const topics = [topic.name];
    const { channel } = await world.call("POST", "/channels", { name: "Desk", url: hook, topics });
    expect(await world.send("DELETE", `/own-topics/${topic.id}`)).toMatchObject({ status: 409 });
    await world.call("DELETE", `/channels/${channel.id}`);
    await world.call("DELETE", `/own-topics/${topic.id}`);
    expect(await world.call("GET", "/own-topics")).toEqual({ topics: [] });
  });

  test("a view of the same name is replaced", async () => {
    const { view } = await world.call("POST", "/views", { name: "Bad", query: "rating=1" });
    const again = { body: { name: "Bad", query: "rating=2" } };
    const { status, headers, json } = await world.send("POST", "/views", again);
    expect([status, headers.get("location")]).toEqual([200, null]);
    const replaced = Object(json);
    expect(replaced.view).toEqual({ ...view, query: "rating=2" });
    expect((await world.call("PATCH", `/views/${view.id}`, { name: "Poor" })).view).toEqual({
      ...replaced.view,
      name: "Poor",
    });
  });

  test("a store credential is entered and never shown", async () => {
    const created = await world.send("POST", "/credentials", { body: bodies["post /credentials"] });
    const list = await world.send("GET", "/credentials");
    const { credential } = Object(created.json);
    expect(credential).toEqual({
      ...{ id: credential.id, store: "appstore", name: "Ours", subject: "ABCDEF1234" },
      createdAt: credential.createdAt,
    });
    for (const { text } of [created, list]) expect(text).not.toContain("PRIVATE KEY");
    const body = { store: "appstore", externalAppId: "4242", credentialId: credential.id };
    const { app } = await world.call("POST", "/apps", body);
    expect(app).toMatchObject({ credentialId: credential.id, countries: [] });
    expect(await world.send("DELETE", `/credentials/${credential.id}`)).toMatchObject({
      status: 409,
    });
  });
});

describe("412", () => {
  test.each(["channels", "views", "own-topics", "apps"])(
    "%s: a change of what was changed since it was read is refused",
    async (path) => {
      const ids = await world.createOfEach();
      const change = manageRoutes().find(
        (route) => route.method === "patch" && route.path.startsWith(`/${path}/`),
      );
      if (!change) throw new Error(`no route changes ${path}`);
      const target = fill(change.path, ids);
      const read = await world.send("GET", target);
      const known = { headers: { "if-match": read.headers.get("etag") ?? "" } };
      const answers = await Promise.all(
        Array.from({ length: 4 }, () =>
          world.send("PATCH", target, { ...bodyOf(change, ids), ...known }),
        ),
      );
      const statuses = answers.map(({ status }) => status).sort();
      expect(statuses).toEqual([200, 412, 412, 412]);
      const done = answers.find(({ status }) => status === 200);
      const current = await world.send("GET", target);
      expect(done?.headers.get("etag")).toBe(current.headers.get("etag"));
      const stale = await world.send("DELETE", target, known);
      expect(stale).toMatchObject({ status: 412, json: { code: "precondition_failed" } });
      const fresh = { headers: { "if-match": current.headers.get("etag") ?? "" } };
      expect((await world.send("DELETE", target, fresh)).status).toBe(204);
    },
  );
});

describe("Idempotency-Key", () => {
  test("is forgotten after a day, belongs to one key, and is not taken by a request that failed", async () => {
    const named = { headers: { "idempotency-key": "view" } };
    const wrong = await world.send("POST", "/channels", {
      ...named,
      body: { name: "Desk", url: "http://x" },
    });
    expect(wrong.status).toBe(400);
    const body = { name: "Bad", query: "rating=1" };
    const first = await world.send("POST", "/views", { ...named, body });
    expect(first.status).toBe(201);
    const { key: another } = await aKey(world.database, { id: world.workspaceId }, "manage");
    const other = { name: "Good", query: "rating=5" };
    expect(
      (await world.send("POST", "/views", { ...named, body: other, key: another })).status,
    ).toBe(201);
    world.clock.advance(24 * 3_600_000);
    expect((await world.send("POST", "/views", { ...named, body: other })).status).toBe(200);
    const { rows } = await world.queryDatabase(
      "select count(*)::int from idempotency_keys where name = 'view'",
    );
    expect(rows[0].count).toBe(1);
  });

  test("covers method, path, query and body, and the same request has the first answer with its headers", async () => {
    const headers = { "idempotency-key": "one" };
    const body = { name: "Bad", query: "rating=1" };
    const first = await world.send("POST", "/views", { headers, body });
    const { id } = Object(first.json).view;
    await world.send("PATCH", `/views/${id}`, { body: { name: "Renamed" } });
    const again = await world.send("POST", "/views", { headers, body });
    expect([again.status, again.text]).toEqual([first.status, first.text]);
    const shown = ["etag", "location", "content-type", "cache-control"];
    for (const name of shown) expect(again.headers.get(name)).toBe(first.headers.get(name));
    const others = [
      ["PATCH", `/views/${id}`, body],
      ["POST", "/own-topics", { name: "parking", phrases: ["parking space"] }],
      ["POST", "/views", { ...body, query: "rating=2" }],
    ] as const;
    for (const [method, path, other] of others)
      expect((await world.send(method, path, { headers, body: other })).status).toBe(422);
    const applied = { headers: { "idempotency-key": "apply" }, body: { views: [] } };
    expect((await world.send("POST", "/setup", applied)).status).toBe(200);
    expect((await world.send("POST", "/setup?prune=true", applied)).status).toBe(422);
    expect((await world.send("POST", "/setup?prune=false", applied)).status).toBe(422);
  });

  test("a secret that was replaced since is not shown in place of the first", async () => {
    const { channel } = Object(await world.call("POST", "/channels", { name: "Desk", url: hook }));
    const path = `/channels/${channel.id}/rotate-secret`;
    const headers = { "idempotency-key": "rotate" };
    const first = await world.send("POST", path, { headers });
    const { secret: newer } = Object(await world.call("POST", path));
    const again = await world.send("POST", path, { headers });
    expect(again.text).toBe(first.text);
    expect(again.text).not.toContain(newer);
  });

  test.each(["a b", "\u00e4", "x".repeat(256)])("%j is refused", async (name) => {
    const body = { name: "Bad", query: "" };
    const answer = await world.send("POST", "/views", {
      headers: { "idempotency-key": name },
      body,
    });
    expect(answer).toMatchObject({ status: 400, json: { code: "invalid_parameter" } });
  });
});

describe("429", () => {
  test("all keys of a workspace together change 60 times a minute", async () => {
    const keys = [world.key, (await aKey(world.database, { id: world.workspaceId }, "manage")).key];
    const statuses: number[] = [];
    for (let count = 0; count < 62; count += 1) {
      const body = { name: "Bad", query: `rating=${(count % 5) + 1}` };
      const options = { key: keys[count % 2] ?? world.key, method: "POST", body };
      statuses.push((await world.request("/api/v1/views", options)).status);
    }
    expect(statuses.filter((status) => status < 300)).toHaveLength(60);
    expect(statuses.slice(60)).toEqual([429, 429]);
  });

  test("tests and redeliveries count together with those of the dashboard", async () => {
    // One channel alone has a lower limit.
    const ids: string[] = [];
    for (const name of ["One", "Two", "Three", "Four"])
      ids.push((await world.call("POST", "/channels", { name, url: hook })).channel.id);
    const statuses: number[] = [];
    for (let count = 0; count < 31; count += 1) {
      const path = `/api/v1/channels/${ids[count % 4]}/test`;
      statuses.push((await world.request(path, { key: world.key, method: "POST" })).status);
    }
    expect([statuses.filter((status) => status === 200).length, statuses.at(-1)]).toEqual([
      30, 429,
    ]);
  });
});
