import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import {
  createChannel,
  createNextSecret,
  deleteChannel,
  revealChannel,
  rotateSecret,
  testChannel,
  updateChannel,
} from "../../../test/support/acts.ts";
import { anApp, aWorkspace } from "../../../test/support/factories.ts";
import { listAuditEntries } from "../../../test/support/list-audit-entries.ts";
import { openTestContext, type TestContext } from "../../../test/support/test-context.ts";
import { volume } from "../../../test/support/volume.ts";
import {
  type ChannelInput,
  channelDefaults,
  type EventName,
} from "../../domain/channel/channel.ts";
import { createSecretBox, type SecretBox } from "../../lib/secret-box.ts";
import { uuidV7 } from "../../lib/uuid.ts";
import { toTestDelivery } from "../../matching/deliveries.ts";
import { listChannels } from "./channels.ts";

let context: TestContext;
beforeAll(async () => {
  context = await openTestContext();
});
afterAll(() => context.close());

const secretBox = createSecretBox([randomBytes(32)]);

function deps(): Parameters<typeof createChannel>[0] & TestContext & { secretBox: SecretBox } {
  return {
    ...context,
    secretBox,
    actor: "cli",
    checkUrl: async (url, type) =>
      type === "email" || url.startsWith("https://")
        ? { ok: true }
        : { ok: false, reason: "must be https" },
  };
}

const url = "https://hooks.example.com/elsewhere";
async function create(
  input: Partial<ChannelInput> & { workspaceId?: string } = {},
): ReturnType<typeof createChannel> {
  return createChannel(deps(), {
    ...{ ...channelDefaults, name: "Desk", url: "https://hooks.example.com/starpost" },
    ...input,
    workspaceId: input.workspaceId ?? (await aWorkspace(context.database)).id,
  });
}

function show(id: string): ReturnType<typeof revealChannel> {
  return revealChannel({ ...deps(), secretBox }, { id, workspaceId: null });
}

async function queue(channelId: string, event: EventName): Promise<string> {
  const channel = await context.database.findChannel({ id: channelId, workspaceId: null });
  if (!channel) throw new Error("the channel is gone");
  const now = context.clock.now();
  const delivery = toTestDelivery({ channel, now }, () => uuidV7(now));
  const deliveries = [{ ...delivery, event, isTest: false }];
  await context.database.enqueueDeliveries({ deliveries, now });
  return delivery.id;
}

test("a channel has every default, and a secret that can be shown again, which is audited", async () => {
  const { channel, secret, warning } = await create();
  expect(channel).toMatchObject(channelDefaults);
  expect(warning).toBeNull();
  expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
  expect(await show(channel.id)).toMatchObject({ id: channel.id, secret });
  const sealed = await context.database.findChannelSecret(channel.id);
  expect(sealed?.encryptedSecret.includes(String(secret))).toBe(false);
  expect(await listAuditEntries(context.database, channel.id)).toMatchObject([
    { actor: "cli", action: "channel.created" },
    { actor: "cli", action: "channel.secret_viewed" },
  ]);
});

test.each([
  [{ name: "" }, "name"],
  [{ name: "x".repeat(201) }, "name"],
  [{ url: "http://hooks.example.com" }, "url"],
  [{ url: `https://hooks.example.com/${"x".repeat(2_048)}` }, "url"],
  [{ events: [] }, "events"],
  [{ events: ["review.deleted"] }, "events"],
  [{ apps: [] }, "apps"],
  [{ apps: ["17"] }, "apps"],
  [{ stars: [] }, "stars"],
  [{ stars: [0] }, "stars"],
  [{ stars: [6] }, "stars"],
  [{ stars: [Number.NaN] }, "stars"],
  [{ topics: [""] }, "topics"],
  [{ topics: ["x".repeat(65)] }, "topics"],
  [{ topics: ["crash", "logn"] }, "topics"],
  [{ topics: Array.from({ length: 51 }, (_, index) => `t${index}`) }, "topics"],
  [{ dropThreshold: 0 }, "dropThreshold"],
  [{ dropThreshold: -1 }, "dropThreshold"],
  [{ dropThreshold: Number.NaN }, "dropThreshold"],
  [{ periodDays: 0 }, "periodDays"],
  [{ periodDays: 1.5 }, "periodDays"],
  [{ periodDays: 366 }, "periodDays"],
  [{ minSampleSize: 0 }, "minSampleSize"],
])("%j is refused by the name of its option", async (input, field) => {
  await expect(create(input)).rejects.toMatchObject({ code: "invalid_input", fields: [{ field }] });
});

test("an app of another workspace is refused as not there", async () => {
  const { id: workspaceId } = await aWorkspace(context.database);
  const foreign = await anApp(context.database, { workspaceId });
  await expect(create({ apps: [foreign.id] })).rejects.toMatchObject({ code: "not_found" });
  const { channel } = await create({ workspaceId, apps: [foreign.id.toUpperCase()] });
  expect(channel.apps).toEqual([foreign.id]);
});

test("filters are kept in one form: sorted, each once, topics in lower case", async () => {
  const { channel } = await create({ stars: [5, 1, 5], topics: [" Crash", "crash", "login"] });
  expect(channel).toMatchObject({ stars: [1, 5], topics: ["crash", "login"] });
});

test("updates without creations are allowed, with a warning", async () => {
  const { warning } = await create({ events: ["review.updated"] });
  expect(warning).toContain("delivered to this channel before");
});

test("a channel with translations has a warning without a translator, and only then", async () => {
  const { channel, warning } = await create({ translate: true });
  expect(warning).toBeNull();
  const provider = { kind: "translate", dayMax: 1, unit: "characters" } as const;
  const warnAt = async (setting: string, isEnabled: boolean): Promise<string | null> => {
    const providers = [{ ...provider, setting, isEnabled }];
    const change = { name: "Desk" };
    const update = { id: channel.id, workspaceId: null, change };
    return (await updateChannel({ ...deps(), providers }, update)).warning;
  };
  expect(await warnAt("none", false)).toContain("TRANSLATE_PROVIDER");
  expect(await warnAt("deepl", true)).toBeNull();
});

test("an update that names nothing is refused", async () => {
  const { channel } = await create();
  const update = { id: channel.id, workspaceId: null, change: {} };
  await expect(updateChannel(deps(), update)).rejects.toMatchObject({ code: "invalid_input" });
});

test("an update leaves the rest as it is and cancels only what no longer matches", async () => {
  const { channel, secret } = await create({ stars: [1] });
  const [created, drop] = [
    await queue(channel.id, "review.created"),
    await queue(channel.id, "review.rating_drop"),
  ];
  const change = { events: ["review.rating_drop"], topics: ["crash"] };
  const done = await updateChannel(deps(), { id: channel.id, workspaceId: null, change });
  expect(done).toMatchObject({ cancelledCount: 1, channel: { stars: [1], topics: ["crash"] } });
  expect(await show(channel.id)).toMatchObject({ ...done.channel, secret });
  const statusOf = async (id: string): Promise<string | undefined> =>
    (await context.database.findDelivery({ id, workspaceId: null }))?.status;
  expect([await statusOf(created), await statusOf(drop)]).toEqual(["cancelled", "pending"]);
});

test("pausing a channel cancels what is pending, and its digests wait for it to be resumed", async () => {
  const { channel } = await create();
  await queue(channel.id, "review.created");
  const pause = (id: string, isPaused: boolean) =>
    updateChannel(deps(), { id, workspaceId: null, change: { isPaused } });
  expect(await pause(channel.id, true)).toMatchObject({
    cancelledCount: 1,
    channel: { isPaused: true, events: channel.events },
  });
  const version = expect.any(Number);
  expect((await pause(channel.id, false)).channel).toEqual({ ...channel, version });
  const url = "https://hooks.slack.com/services/T0/B0/x";
  const { channel: daily } = await create({ type: "slack", url, digest: "daily" });
  await pause(daily.id, true);
  context.clock.advance(2 * 86_400_000);
  const due = async () =>
    (
      await context.database.listDueDigests({ now: context.clock.now(), exceptIds: [], limit: 10 })
    ).map(({ id }) => id);
  expect(await due()).not.toContain(daily.id);
  const { digestDueAt } = (await pause(daily.id, false)).channel;
  expect(digestDueAt?.getTime()).toBeGreaterThan(context.clock.now().getTime());
  expect(await due()).not.toContain(daily.id);
});

test("two edits at once both count, however long the check of a URL takes", async () => {
  const { channel } = await create();
  const query = { id: channel.id, workspaceId: null };
  // While the URL is looked up, another user changes the name.
  const checkUrl = async () => {
    await updateChannel(deps(), { ...query, change: { name: "Renamed" } });
    return { ok: true } as const;
  };
  await updateChannel({ ...deps(), checkUrl }, { ...query, change: { url } });
  expect(await show(channel.id)).toMatchObject({ name: "Renamed", url });
});

test("an edit of another field keeps a URL that was saved while it was being checked", async () => {
  const { channel } = await create();
  const query = { id: channel.id, workspaceId: null };
  const database = {
    ...context.database,
    // The first edit, which sends back the URL, has read the channel; before its transaction, another one saves another.
    async findChannel(place: { id: string; workspaceId: string | null }) {
      const found = await context.database.findChannel(place);
      await updateChannel(deps(), { ...query, change: { url } });
      return found;
    },
  };
  const topics = ["crash"];
  await updateChannel({ ...deps(), database }, { ...query, change: { url: channel.url, topics } });
  expect(await show(channel.id)).toMatchObject({ url, topics });
});

test("pairs of edits at once lose neither the URL, the stars nor the recipients", async () => {
  const { channel } = await create();
  const { channel: email } = await create({ type: "email", url: undefined, to: "a@example.com" });
  const edit = (id: string, change: Parameters<typeof updateChannel>[1]["change"]) =>
    updateChannel(deps(), { id, workspaceId: null, change });
  for (let round = 0; round < volume(100); round += 1) {
    const url = `https://hooks.example.com/${round}`;
    const to = `r${round}@example.com`;
    const name = `Round ${round}`;
    const stars = [1 + (round % 5)];
    await Promise.all([
      edit(channel.id, { url }),
      edit(channel.id, { name }),
      edit(channel.id, { stars }),
      edit(email.id, { to }),
      edit(email.id, { name }),
    ]);
    expect(await show(channel.id)).toMatchObject({ url, name, stars });
    expect(await show(email.id)).toMatchObject({ recipients: [to], name });
  }
});

test("a rotated secret replaces the old one at once", async () => {
  const { channel, secret } = await create();
  const rotated = await rotateSecret(
    { ...deps(), secretBox },
    { id: channel.id, workspaceId: null },
  );
  expect(rotated.secret).not.toBe(secret);
  expect((await show(channel.id)).secret).toBe(rotated.secret);
});

test("a test event is queued whatever the channel's filters are", async () => {
  const { channel } = await create({ events: ["review.rating_drop"], stars: [1] });
  const composeTest = () =>
    toTestDelivery({ channel, now: context.clock.now() }, () => uuidV7(context.clock.now()));
  const query = { id: channel.id, workspaceId: null };
  const { deliveryId } = await testChannel({ ...context, composeTest }, query);
  expect(await context.database.findDelivery({ id: deliveryId, workspaceId: null })).toMatchObject({
    isTest: true,
    status: "pending",
    event: "review.created",
  });
});

test("a deleted channel takes along what waits for it; the audit stays", async () => {
  const { channel } = await create();
  const delivery = await queue(channel.id, "review.created");
  await deleteChannel(deps(), { id: channel.id, workspaceId: null });
  expect(await context.database.findDelivery({ id: delivery, workspaceId: null })).toBeNull();
  await expect(show(channel.id)).rejects.toMatchObject({ code: "not_found" });
  expect((await listAuditEntries(context.database, channel.id)).at(-1)).toMatchObject({
    action: "channel.deleted",
    detail: { name: "Desk" },
  });
});

test("another workspace's channel looks as if it were not there", async () => {
  const { channel } = await create();
  const { id: workspaceId } = await aWorkspace(context.database);
  const update = { id: channel.id, workspaceId, change: { name: "Mine" } };
  await expect(updateChannel(deps(), update)).rejects.toMatchObject({ code: "not_found" });
  expect(await listChannels(context.database, { workspaceId })).toEqual([]);
});

test("a chat channel keeps its URL or token encrypted, and shows a part of it", async () => {
  const url = "https://hooks.slack.com/services/T000/B000/inventedSecret";
  const slack = await create({ type: "slack", url });
  expect(slack.secret).toBeNull();
  expect(slack.channel).toMatchObject({ type: "slack", url: "https://hooks.slack.com/…cret" });
  expect(await openStored(slack.channel.id)).toBe(url);
  const shown = { url: slack.channel.url, name: "Renamed" };
  const masked = updateChannel(deps(), { id: slack.channel.id, workspaceId: null, change: shown });
  await expect(masked).rejects.toThrow("url: is shown in part only");
  expect(await openStored(slack.channel.id)).toBe(url);
  expect(JSON.stringify(await show(slack.channel.id))).not.toContain("inventedSecret");
  const token = `123456:${"A".repeat(35)}`;
  const telegram = await create({ type: "telegram", url: undefined, token, chat: "-1001" });
  expect(telegram.channel).toMatchObject({ url: "", recipients: ["-1001"] });
  const change = { chat: "@invented_channel", name: "Other" };
  const { channel } = await updateChannel(deps(), {
    id: telegram.channel.id,
    workspaceId: null,
    change,
  });
  expect(channel).toMatchObject({ recipients: ["@invented_channel"], name: "Other" });
  expect(await openStored(channel.id)).toBe(token);
  await expect(rotateSecret(deps(), { id: channel.id, workspaceId: null })).rejects.toThrow(
    "no signing secret",
  );
});

test("the next secret signs nothing until a rotation switches to it", async () => {
  const { channel, secret } = await create();
  const query = { id: channel.id, workspaceId: null };
  expect(await show(channel.id)).toMatchObject({ secret, nextSecret: null });
  await createNextSecret(deps(), query);
  const { nextSecret } = await createNextSecret(deps(), query);
  expect(await show(channel.id)).toMatchObject({ secret, nextSecret });
  expect(await openStored(channel.id)).toBe(secret);
  expect((await rotateSecret(deps(), query)).secret).toBe(nextSecret);
  expect(await openStored(channel.id)).toBe(nextSecret);
  // The rotation after it makes a secret of its own.
  const again = await rotateSecret(deps(), query);
  expect([secret, nextSecret]).not.toContain(again.secret);
  expect(await show(channel.id)).toMatchObject({ secret: again.secret, nextSecret: null });
});

test("only webhooks of the workspace get a next secret", async () => {
  const url = "https://hooks.slack.com/services/T0/B0/x";
  const { channel } = await create({ type: "slack", url });
  const query = { id: channel.id, workspaceId: null };
  await expect(createNextSecret(deps(), query)).rejects.toThrow("no signing secret");
  const { id: workspaceId } = await aWorkspace(context.database);
  const webhook = (await create()).channel.id;
  await expect(createNextSecret(deps(), { id: webhook, workspaceId })).rejects.toMatchObject({
    code: "not_found",
  });
});

test.each([
  ["slack without a URL", { type: "slack", url: undefined }, "url: is required"],
  ["slack with a token", { type: "slack", token: "1" }, "token: a channel of the type slack"],
  [
    "telegram without a chat",
    { type: "telegram", url: undefined, token: "x" },
    "chat: is required",
  ],
  ["a type that there is not", { type: "pigeon" }, "type: must be one of webhook, slack"],
])("%s is refused", async (_, input, message) => {
  await expect(create(input as Partial<ChannelInput>)).rejects.toThrow(message);
});

test("the type of a channel stays", async () => {
  const { channel } = await create();
  const change = { type: "slack" } as const;
  await expect(
    updateChannel(deps(), { id: channel.id, workspaceId: null, change }),
  ).rejects.toThrow("type: stays webhook");
});

async function openStored(id: string): Promise<string> {
  const found = await context.database.findChannelSecret(id);
  return secretBox.open(found?.encryptedSecret ?? Buffer.alloc(0), id);
}

test("alerts are off unless they are chosen, for every type", async () => {
  expect((await create()).channel.events.join()).not.toMatch(/spike|failing|worse/);
  const events: ChannelInput["events"] = ["review.created", "channel.failing"];
  expect((await create({ events })).channel.events).toEqual(events);
  const url = "https://hooks.slack.com/services/T0/B0/x";
  expect((await create({ events, type: "slack", url })).channel.events).toEqual(events);
});

test("digests: a schedule moves with its own change alone, and webhooks have none", async () => {
  await expect(create({ digest: "daily" })).rejects.toMatchObject({
    fields: [{ field: "digest" }],
  });
  const url = "https://hooks.slack.com/services/T0/B0/x";
  const digest = { type: "slack", url, digest: "daily", digestAt: "07:30" } as const;
  await expect(create({ ...digest, digestAt: "25:00" })).rejects.toMatchObject({
    fields: [{ field: "digestAt" }],
  });
  await expect(create({ ...digest, timeZone: "Mars/Phobos" })).rejects.toMatchObject({
    fields: [{ field: "timeZone" }],
  });
  const { channel } = await create({ ...digest, timeZone: "Europe/Berlin" });
  const { id, workspaceId, digestDueAt } = channel;
  expect(digestDueAt?.toISOString()).toMatch(/T06:30:00.000Z$/);
  const update = (change: Partial<ChannelInput>) =>
    updateChannel(deps(), { id, workspaceId, change });
  context.clock.advance(86_400_000);
  expect((await update({ name: "Mornings" })).channel.digestDueAt).toEqual(digestDueAt);
  const weekly = await update({ digest: "weekly" });
  expect(weekly.channel.digestDueAt?.getUTCDay()).toBe(1);
  expect(weekly.channel).toMatchObject({ digestAt: "07:30", timeZone: "Europe/Berlin" });
  expect((await update({ digest: null })).channel).toMatchObject({
    digest: null,
    digestDueAt: null,
  });
});
