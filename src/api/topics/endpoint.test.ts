import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type ApiTestContext, openApiTestContext } from "../../../test/support/api-test-context.ts";
import { topicsResponse } from "../contract.ts";

let context: ApiTestContext;
beforeAll(async () => {
  context = await openApiTestContext();
});
afterAll(() => context.close());

describe("200", () => {
  test("lists the topics by name", async () => {
    const { json } = await context.request("/api/v1/topics");
    const { topics } = topicsResponse.parse(json);
    expect(topics).toEqual([...topics].sort());
    expect(topics).toEqual(expect.arrayContaining(["crash", "login", "feature_request"]));
  });
});

describe("400", () => {
  test("it has no parameters", async () => {
    const answer = await context.request("/api/v1/topics?topic=crash");
    expect(answer).toMatchObject({ status: 400, json: { code: "invalid_parameter" } });
  });
});

describe("401", () => {
  test("it needs a key", async () => {
    expect((await context.request("/api/v1/topics", { key: null })).status).toBe(401);
  });
});
