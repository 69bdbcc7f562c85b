// A workspace with one app, review, channel, delivery and own topic, for tests that go over all pages.
import { createTopic } from "../../src/features/own-topics/operations.ts";
import { systemClock } from "../../src/lib/clock.ts";
import { createWorkspace, testChannel } from "./acts.ts";
import { anApp, aReview, saveChannel, saveReviews } from "./factories.ts";
import { act } from "./operations.ts";
import type { TestService } from "./service.ts";

/** `home` is the path of its pages. */
export async function addOneOfEach({ deps }: Pick<TestService, "deps">) {
  const { database } = deps;
  const { id: workspaceId } = await createWorkspace(deps, { name: "Reef", plan: "studio" });
  const app = await anApp(database, { workspaceId });
  const [review] = await saveReviews(database, app, [aReview({ date: systemClock.now() })]);
  const channel = (await saveChannel(database, { workspaceId })).id;
  const operator = { ...deps, actor: "test" };
  await testChannel(operator, { id: channel });
  await act(operator, createTopic, { workspaceId, name: "tides", phrases: ["tide"] });
  const ids = { app: app.id, review: review?.id ?? "", channel };
  return { workspaceId, home: `/w/${workspaceId}`, ids };
}
