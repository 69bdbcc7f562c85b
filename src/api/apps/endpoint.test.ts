import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type ApiTestContext, openApiTestContext } from "../../../test/support/api-test-context.ts";
import { describeCommonResponses } from "../../../test/support/common-responses.ts";
import { anApp } from "../../../test/support/factories.ts";

let context: ApiTestContext;
beforeAll(async () => {
  context = await openApiTestContext();
});
afterAll(() => context.close());

const path = "/api/v1/apps";

describeCommonResponses({
  context: () => context,
  path,
  aReader: async () => ({ key: (await context.addWorkspace()).key, query: "" }),
});

describe("200", () => {
  test("a workspace without apps gets an empty list", async () => {
    const { key } = await context.addWorkspace();
    expect(await context.request(path, { key })).toMatchObject({
      status: 200,
      text: '{"apps":[]}',
    });
  });

  test("an app has exactly the contract's fields, in their order", async () => {
    const { workspace, key } = await context.addWorkspace();
    const iconUrl = "https://icons.example/tidepool.png";
    const app = await anApp(context.database, { workspaceId: workspace.id, iconUrl });
    const answer = await context.request(path, { key });
    const { id, externalAppId } = app;
    expect(answer.text).toBe(
      JSON.stringify({
        apps: [
          { id, name: "Tidepool Journal", store: "appstore", externalAppId, appIcon: iconUrl },
        ],
      }),
    );
    expect(answer.headers.get("content-type")).toBe("application/json");
  });

  test("an app that the store did not name yet goes by its id there, without an icon", async () => {
    const { workspace, key } = await context.addWorkspace();
    const { id } = await anApp(context.database, {
      workspaceId: workspace.id,
      store: "googleplay",
      externalAppId: "org.example.tidepool",
      name: null,
    });
    expect((await context.request(path, { key })).json).toEqual({
      apps: [
        {
          id,
          name: "org.example.tidepool",
          store: "googleplay",
          externalAppId: "org.example.tidepool",
          appIcon: "",
        },
      ],
    });
  });

  test("apps come in the order they were added", async () => {
    const { workspace, key } = await context.addWorkspace();
    const ids: string[] = [];
    for (let count = 0; count < 5; count += 1) {
      ids.push((await anApp(context.database, { workspaceId: workspace.id })).id);
    }
    const { json } = await context.request(path, { key });
    expect(json).toMatchObject({ apps: ids.map((id) => ({ id })) });
  });

  test("two workspaces on one listing see their own app of it and not the other's", async () => {
    const [one, two] = [await context.addWorkspace(), await context.addWorkspace()];
    const externalAppId = "777";
    const first = await anApp(context.database, { workspaceId: one.workspace.id, externalAppId });
    const second = await anApp(context.database, { workspaceId: two.workspace.id, externalAppId });
    expect(first.listingId).toBe(second.listingId);
    expect((await context.request(path, { key: one.key })).json).toMatchObject({
      apps: [{ id: first.id }],
    });
    expect((await context.request(path, { key: two.key })).json).toMatchObject({
      apps: [{ id: second.id }],
    });
  });
});

describe("400", () => {
  test("apps takes no parameters", async () => {
    const answer = await context.request(`${path}?store=appstore`);
    expect(answer.status).toBe(400);
    expect(answer.json).toMatchObject({
      code: "invalid_parameter",
      errors: [{ parameter: "store", message: "is not a parameter of this endpoint" }],
    });
  });
});
