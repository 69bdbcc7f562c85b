import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type ApiTestContext, openApiTestContext } from "../../../test/support/api-test-context.ts";
import { describeCommonResponses } from "../../../test/support/common-responses.ts";
import { anApp, aReview, saveReviews } from "../../../test/support/factories.ts";
import { digestSchema } from "../../domain/changes/digest.ts";
import { addDays } from "../../lib/timestamp.ts";
import { readDigest } from "./read-digest.ts";

const path = "/api/v1/changes";
let context: ApiTestContext;
beforeAll(async () => {
  context = await openApiTestContext();
});
afterAll(() => context.close());

// Near-duplicates would count once.
const complaints = [
  "It crashes whenever I open the tide table",
  "Closes by itself at every start since yesterday",
  "I tap on the harbour and the whole thing is gone",
  "Reinstalled twice, still falls over on my old phone",
  "Can't get past the first screen before it dies",
  "Five crashes in one morning, I went back to paper",
  "Black screen, then the home screen of the phone",
  "Stopped working with the update, please fix",
];

async function aReader() {
  const { workspace, key } = await context.addWorkspace();
  const app = await anApp(context.database, { workspaceId: workspace.id, countries: ["us"] });
  const at = (day: string, ago: number) => new Date(`${addDays(day, -ago)}T09:00:00Z`);
  await saveReviews(context.database, app, [
    ...Array.from({ length: 28 }, (_, ago) => aReview({ date: at("2026-11-13", ago), rating: 5 })),
    ...Array.from({ length: complaints.length }, (_, number) =>
      aReview({
        date: at("2026-11-20", number % 7),
        version: "5.0",
        rating: 1,
        sentiment: "negative",
        topics: ["crash"],
        text: complaints[number] ?? "",
      }),
    ),
  ]);
  return { key, app, workspaceId: workspace.id, query: `?app=${app.id}` };
}

describeCommonResponses({ context: () => context, path, aReader });

describe("200", () => {
  test("the week up to yesterday, as the digest has it", async () => {
    const { key, app, workspaceId, query } = await aReader();
    const { json } = await context.request(path + query, { key });
    const changes = digestSchema.parse(json);
    expect(changes).toMatchObject({
      kind: "week",
      range: { from: "2026-11-14", to: "2026-11-20" },
    });
    expect(changes.spikes.map(({ subject, value }) => [subject, value])).toContainEqual([
      "topic",
      "crash",
    ]);
    expect(changes).toEqual(await readDigest(context, { appId: app.id, workspaceId }));
  });

  test("since a version", async () => {
    const { key, query } = await aReader();
    const { json } = await context.request(`${path}${query}&since=5.0`, { key });
    expect(json).toMatchObject({ kind: "release", version: "5.0", range: { from: "2026-11-14" } });
  });

  test("the next day has another tag", async () => {
    const reader = await openApiTestContext();
    const { workspace } = reader;
    const app = await anApp(reader.database, { workspaceId: workspace.id });
    const read = (headers: Record<string, string>) =>
      reader.request(`${path}?app=${app.id}`, { headers });
    const { headers } = await read({});
    const known = { "if-none-match": headers.get("etag") ?? "" };
    expect((await read(known)).status).toBe(304);
    reader.clock.set(new Date("2026-11-22T12:00:00Z"));
    expect((await read(known)).status).toBe(200);
    await reader.close();
  });
});

describe("400", () => {
  test.each([
    ["", "app"],
    ["?app=APP&since=9.9", "since"],
    ["?app=APP&since=5.0&to=2026-11-01", "to"],
    ["?app=APP&to=yesterday", "to"],
  ])("%s", async (query, parameter) => {
    const { key, app } = await aReader();
    const { status, json } = await context.request(path + query.replace("APP", app.id), { key });
    expect([status, Object(json).code]).toEqual([400, "invalid_parameter"]);
    expect(Object(json).errors).toEqual([expect.objectContaining({ parameter })]);
  });
});

describe("404", () => {
  test("another workspace's app is unknown here", async () => {
    const { query } = await aReader();
    const response = await context.request(path + query);
    expect(response).toMatchObject({ status: 404, json: { code: "app_not_found" } });
  });
});
