// Two writes on things that name each other, at the same moment: each is carried out or refused in words, nothing is there
// twice, and what is left can be edited.
import { afterAll, beforeAll, expect, test } from "vitest";
import * as topicStatements from "../src/features/own-topics/sql.ts";
import { type DoorAnswer, type DoorsWorld, openDoorsWorld } from "./support/doors-world.ts";
import { anApp, aReview, saveReviews } from "./support/factories.ts";

const roundCount = 10;
const url = "https://127.0.0.1:9/hook";

let world: DoorsWorld;
beforeAll(async () => {
  world = await openDoorsWorld();
});
afterAll(() => world.close());

type Write = () => Promise<{ status: number }>;
/** Makes what both are about; the check comes after them. */
type Pair = () => Promise<{ writes: readonly Write[]; check(): Promise<void> }>;

const post = (path: string, body: object) => world.api("POST", path, { body });
const patch = (path: string, body: object) => world.api("PATCH", path, { body });
const remove = (path: string) => world.api("DELETE", path);

async function made(answer: Promise<DoorAnswer>): Promise<string> {
  const { status, json } = await answer;
  if (status > 299) throw new Error(JSON.stringify(json));
  const [thing] = Object.values(json);
  return (thing as { id: string }).id;
}

const newView = (query: string) => made(post("/views", { name: "Bad", query }));
const newChannel = (fields: object = {}) =>
  made(post("/channels", { name: "Desk", url, ...fields }));
const newTopic = () => made(post("/own-topics", { name: "parking", phrases: ["parking space"] }));

const channels = () => world.database.listChannels({ workspaceId: world.workspaceId });

/** Each channel takes an edit, and follows no view that a channel can't follow. */
async function expectChannelsWork(): Promise<void> {
  const views = await world.database.listSavedViews(world.workspaceId);
  for (const { id, view } of await channels()) {
    expect((await patch(`/channels/${id}`, { name: "Later" })).status).toBe(200);
    const followed = views.find((one) => one.id === view);
    expect(view === null || followed !== undefined).toBe(true);
    expect(followed?.query ?? "").not.toContain("tag=");
  }
}

async function expectNames(path: string, names: readonly string[]): Promise<void> {
  const { json } = await world.api("GET", path);
  const [things] = Object.values(json) as { name: string }[][];
  expect(things?.map(({ name }) => name)).toEqual(names);
}

const setup = {
  topics: [{ name: "parking", phrases: ["parking space"] }],
  views: [{ name: "Bad", query: "rating=1" }],
  channels: [{ name: "Desk", url, view: "Bad" }],
};

const pairs: Record<string, Pair> = {
  async "a view gets a filter that channels can't have, and a channel begins to follow it"() {
    const view = await newView("rating=1");
    return {
      writes: [
        () => patch(`/views/${view}`, { query: "tag=urgent" }),
        () => post("/channels", { name: "Desk", url, view }),
      ],
      check: expectChannelsWork,
    };
  },
  async "a view is deleted, and a channel begins to follow it"() {
    const view = await newView("rating=1");
    const channel = await newChannel();
    return {
      writes: [() => remove(`/views/${view}`), () => patch(`/channels/${channel}`, { view })],
      check: expectChannelsWork,
    };
  },
  async "a channel gets a view and filters of its own"() {
    const view = await newView("rating=1");
    const channel = await newChannel();
    return {
      writes: [
        () => patch(`/channels/${channel}`, { view }),
        () => patch(`/channels/${channel}`, { stars: [1] }),
        () => patch(`/channels/${channel}`, { filter: "country=de" }),
      ],
      check: expectChannelsWork,
    };
  },
  async "an app is unfollowed, and a channel names it"() {
    const app = await anApp(world.database, { workspaceId: world.workspaceId });
    const channel = await newChannel();
    return {
      writes: [
        () => remove(`/apps/${app.id}`),
        () => patch(`/channels/${channel}`, { apps: [app.id] }),
      ],
      check: expectChannelsWork,
    };
  },
  async "a topic is deleted, and a channel filters by it"() {
    const topic = await newTopic();
    const channel = await newChannel();
    return {
      writes: [
        () => remove(`/own-topics/${topic}`),
        () => patch(`/channels/${channel}`, { topics: ["parking"] }),
      ],
      async check() {
        await expectChannelsWork();
        const topics = await world.database
          .with(topicStatements)
          .listOwnTopics({ workspaceId: world.workspaceId });
        const [channel] = await channels();
        expect(channel?.topics === null || topics.length === 1).toBe(true);
      },
    };
  },
  async "a topic is deleted, and the view that a channel follows filters by it"() {
    const topic = await newTopic();
    const view = await newView("rating=1");
    await newChannel({ view });
    return {
      writes: [
        () => remove(`/own-topics/${topic}`),
        () => patch(`/views/${view}`, { query: "topic=parking" }),
      ],
      async check() {
        await expectChannelsWork();
        const topics = await world.database
          .with(topicStatements)
          .listOwnTopics({ workspaceId: world.workspaceId });
        const [view] = await world.database.listSavedViews(world.workspaceId);
        expect(view?.query === "rating=1" || topics.length === 1).toBe(true);
      },
    };
  },
  async "a member leaves, and gets a review"() {
    const { workspaceId, database } = world;
    const app = await anApp(database, { workspaceId });
    const [review] = await saveReviews(database, app, [aReview()]);
    const assignee = await world.addMember();
    const owner = world.member("owner");
    const work = `/workspaces/${workspaceId}/reviews/${review?.id}/work`;
    return {
      writes: [
        () => owner.delete(`/workspaces/${workspaceId}/members/${assignee}`),
        () => owner.patch(work, { assignee }),
      ],
      async check() {
        expect((await owner.patch(work, { addedTags: ["later"] })).status).toBe(200);
        const { assignee: kept } = (await owner.get(work)).json;
        const members = await database.listMembers(workspaceId);
        const isMember = members.some(({ userId }) => userId === kept?.userId);
        expect(kept === null || isMember).toBe(true);
      },
    };
  },
  async "two set-ups are applied"() {
    return {
      writes: [() => post("/setup", setup), () => post("/setup", setup)],
      async check() {
        await expectNames("/channels", ["Desk"]);
        await expectNames("/views", ["Bad"]);
        await expectNames("/own-topics", ["parking"]);
        expect((await post("/setup", setup)).json["steps"]).toEqual([]);
        await expectChannelsWork();
      },
    };
  },
  async "a set-up is applied, and the same channel and topic are created"() {
    return {
      writes: [
        () => post("/setup", setup),
        () => post("/own-topics", { name: "parking", phrases: ["parking lot"] }),
      ],
      async check() {
        await expectNames("/own-topics", ["parking"]);
        await expectChannelsWork();
      },
    };
  },
  async "two views and two topics of one name are created"() {
    return {
      writes: [
        () => post("/views", { name: "Bad", query: "rating=1" }),
        () => post("/views", { name: "Bad", query: "rating=2" }),
        () => post("/own-topics", { name: "parking", phrases: ["parking space"] }),
        () => post("/own-topics", { name: "parking", phrases: ["parking lot"] }),
      ],
      async check() {
        await expectNames("/views", ["Bad"]);
        await expectNames("/own-topics", ["parking"]);
      },
    };
  },
  async "the workspace is deleted, and a channel is created in it"() {
    const { workspaceId } = world;
    return {
      writes: [
        () => world.member("owner").delete(`/workspaces/${workspaceId}`),
        () => post("/channels", { name: "Desk", url }),
      ],
      async check() {
        expect(await world.database.findWorkspace(workspaceId)).toBeNull();
        expect(await channels()).toEqual([]);
      },
    };
  },
};

test.each(Object.entries(pairs))("%s", async (_, prepare) => {
  for (let round = 0; round < roundCount; round += 1) {
    await world.renew();
    const { writes, check } = await prepare();
    const answers = await Promise.all(writes.map((write) => write()));
    const statuses = answers.map(({ status }) => status);
    expect(statuses.filter((status) => status >= 500 || status === 429)).toEqual([]);
    expect(Math.min(...statuses)).toBeLessThan(300);
    await check();
  }
});
