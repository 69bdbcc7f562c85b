// The last visit is the account's, and new reviews are those that came after it.
import { afterAll, beforeAll, expect, test } from "vitest";
import {
  createDashboardClient,
  type DashboardFixture,
  openDashboardFixture,
  password,
} from "../../../test/support/dashboard.ts";
import { anApp, aReview, saveReviews } from "../../../test/support/factories.ts";
import { MovableClock } from "../../../test/support/movable-clock.ts";
import { findChannelFault, parseReviewFilter } from "../../domain/review/review-filter.ts";
import { formatTimestamp, hourMs, minuteMs } from "../../lib/timestamp.ts";

const begin = new Date("2026-11-20T09:00:00Z");
const clock = new MovableClock(begin);
let world: DashboardFixture;

beforeAll(async () => {
  world = await openDashboardFixture({ clock });
});
afterAll(() => world.close());

test("a visit lasts while the user looks at least once an hour, in any browser", async () => {
  const email = "noor@example.com";
  const { workspaceId } = world.service;
  const work = await world.signIn({ email });
  const phone = createDashboardClient(world.service.url);
  expect((await phone.post("/session/sign-in", { email, password })).status).toBe(200);
  const visit = async (browser: typeof work) =>
    (await browser.post(`/workspaces/${workspaceId}/visits`)).json.previousAt;
  const after = (ms: number) => {
    clock.advance(ms);
    return formatTimestamp(clock.now());
  };

  expect(await visit(work)).toBeNull();
  const lookedAt = after(50 * minuteMs);
  expect(await visit(phone)).toBeNull();
  after(2 * hourMs);
  expect(await visit(work)).toBe(lookedAt);
  const lastAt = after(59 * minuteMs);
  expect(await visit(phone)).toBe(lookedAt);
  after(5 * hourMs);
  expect([await visit(phone), await visit(work)]).toEqual([lastAt, lastAt]);

  // Each member has visits of their own, and each workspace, too.
  const viewer = await world.signIn({ email: "vera@example.com", role: "viewer" });
  expect(await visit(viewer)).toBeNull();
});

test("new reviews are those that came after the moment, without the old ones of a new app", async () => {
  const { deps, workspaceId } = world.service;
  const reader = await world.signIn({ email: "reader@example.com" });
  const app = await anApp(deps.database, { workspaceId, externalAppId: "1001" });
  const at = (hours: number) => new Date(begin.getTime() + hours * hourMs);
  const [, late, edge] = await saveReviews(deps.database, app, [
    aReview({ date: at(-3), firstSeenAt: at(-1) }),
    // Stores show reviews some hours late.
    aReview({ date: at(-3), firstSeenAt: at(1), sentiment: "negative" }),
    aReview({ date: at(-7 * 24), firstSeenAt: at(0) }),
    aReview({ date: at(-7 * 24 - 1), firstSeenAt: at(1) }),
  ]);
  const read = async (path: string) =>
    (await reader.get(`/workspaces/${workspaceId}/${path}`)).json;
  const filter = `newSince=${encodeURIComponent(begin.toISOString())}`;
  const { reviews } = await read(`reviews?${filter}`);
  expect(reviews.map(({ id }: { id: string }) => id)).toEqual([late?.id, edge?.id]);
  const { total, facets } = await read(`reviews/summary?${filter}&from=2026-11-01`);
  expect([total, facets.sentiment]).toEqual([
    2,
    [
      { value: "negative", count: 1 },
      { value: "neutral", count: 1 },
    ],
  ]);
  expect((await read(`reviews?${filter}&sentiment=negative`)).reviews).toHaveLength(1);
  for (const wrong of ["2026-11-20", "2026-02-30T10:00:00Z", "0000-01-01T00:00:00Z", "now"]) {
    const refused = await reader.get(`/workspaces/${workspaceId}/reviews?newSince=${wrong}`);
    expect([wrong, refused.status]).toEqual([wrong, 400]);
  }
});

test("a channel can't be for the reviews since a moment", () => {
  const parsed = parseReviewFilter("newSince=2026-11-20T09%3A00%3A00Z");
  expect(parsed.ok && findChannelFault(parsed.filter)).toContain("newSince");
});
