// The Reviews page as a support lead uses it: filters whose counts follow each other, what is new, a link to one
// review, and a channel made of a view.
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { StoreState } from "../../simulator/store-state.ts";
import type { App } from "../../src/domain/listing.ts";
import { systemClock } from "../../src/lib/clock.ts";
import { dayMs } from "../../src/lib/timestamp.ts";
import { createWorkspace } from "../../src/use-cases/members/workspaces.ts";
import { hasBrowser, type WatchedPage } from "../support/browser.ts";
import { checkPage } from "../support/browser-checks.ts";
import { type BrowserFixture, openBrowserFixture } from "../support/browser-fixture.ts";
import { anApp, aReview, saveReviews } from "../support/factories.ts";

let world: BrowserFixture;
let visitor: WatchedPage;
let page: Page;
let app: App;
let workspaceId = "";

const bar = () => page.getByRole("search");
/** Until the line above the list says so. */
const untilCounted = (count: number) =>
  page.getByText(`${count} reviews`, { exact: true }).waitFor();

describe.skipIf(!hasBrowser())("the reviews", () => {
  beforeAll(async () => {
    world = await openBrowserFixture(new StoreState(systemClock));
    const { database } = world.service.deps;
    const workspace = await createWorkspace(world.service.deps, { name: "Reef", plan: "studio" });
    workspaceId = workspace.id;
    app = await anApp(database, { workspaceId, countries: ["us", "de"] });
    const now = systemClock.now().getTime();
    await saveReviews(
      database,
      app,
      Array.from({ length: 40 }, (_, index) =>
        aReview({
          date: new Date(now - (index + 1) * dayMs),
          rating: (index % 5) + 1,
          country: index % 4 === 0 ? "de" : "us",
          topics: index % 10 < 2 ? ["battery"] : [],
          text: "The tide table loads slowly on my tablet since the last update, else it is fine.",
        }),
      ),
    );
    visitor = await world.signIn({ email: "lea@example.com", workspaceId });
    page = visitor.page;
  });
  afterAll(() => world?.close());

  test("five reviews and more are whole on a small laptop's screen", async () => {
    await page.setViewportSize({ width: 1280, height: 800 });
    await page.goto(`/w/${workspaceId}/reviews`);
    await page.getByRole("article").nth(6).waitFor();
    const bottoms = await page
      .getByRole("article")
      .evaluateAll((cards) => cards.map((card) => card.getBoundingClientRect().bottom));
    expect(bottoms.filter((bottom) => bottom <= 800).length).toBeGreaterThanOrEqual(5);
    expect(await checkPage(visitor, "reviews-compact")).toEqual([]);
  });

  test("several stars are chosen, and the counts of the other filters follow", async () => {
    await untilCounted(40);
    await bar().locator("summary", { hasText: "Stars" }).click();
    await bar().getByLabel("1 ★").check();
    await untilCounted(8);
    await bar().getByLabel("2 ★").check();
    await untilCounted(16);
    expect(await checkPage(visitor, "reviews-stars-open")).toEqual([]);
    await page.keyboard.press("Escape");
    await bar().locator("summary", { hasText: "Topic" }).click();
    expect(await bar().getByRole("checkbox").allInnerTexts()).toHaveLength(1);
    expect(await bar().locator("label", { hasText: "Battery" }).innerText()).toContain("8");
    await bar().getByLabel("Battery").check();
    await untilCounted(8);
    expect(new URL(page.url()).searchParams.get("rating")).toBe("1,2");
    await page.reload();
    await page.getByText("Stars: 1 ★, 2 ★").waitFor();
  });

  test("a channel is made of the view", async () => {
    await page.getByRole("link", { name: "Make a channel of this" }).click();
    await page.getByRole("heading", { name: "New channel" }).waitFor();
    expect(await page.getByLabel("1 ★").isChecked()).toBe(true);
    expect(await page.getByLabel("3 ★").isChecked()).toBe(false);
    expect(await page.getByLabel("Battery").isChecked()).toBe(true);
  });

  test("the slash key searches, and what arrives meanwhile is announced", async () => {
    await page.goto(`/w/${workspaceId}/reviews?country=de`);
    await untilCounted(10);
    await page.getByRole("article").first().waitFor();
    await page.keyboard.press("/");
    expect(await page.locator(":focus").getAttribute("type")).toBe("search");
    const late = [1, 2, 3].map(() =>
      aReview({ country: "de", text: "Just now.", date: systemClock.now() }),
    );
    await saveReviews(world.service.deps.database, app, late);
    await page.getByRole("button", { name: "3 new reviews" }).click({ timeout: 40_000 });
    await untilCounted(13);
    expect(await page.getByText("Just now.").count()).toBe(3);
  });

  test("one review has an address of its own", async () => {
    await page.getByTitle("Link to this review").first().click();
    await page.getByRole("heading", { name: "Review", level: 1 }).waitFor();
    expect(page.url()).toContain(`/reviews/${app.id}/`);
    await page.reload();
    await page.getByText("Just now.").waitFor();
    expect(await checkPage(visitor, "review")).toEqual([]);
    expect(visitor.takeErrors()).toEqual([]);
  });
});
