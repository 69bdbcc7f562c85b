// The Reviews page as a support lead uses it: filters whose counts follow each other, what is new, a link to one
// review, and a channel made of a view.
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { StoreState } from "../../../simulator/store-state.ts";
import { analysisVersion } from "../../../src/analysis/analyze.ts";
import type { App } from "../../../src/domain/feed/listing.ts";
import { systemClock } from "../../../src/lib/clock.ts";
import { dayMs, minuteMs } from "../../../src/lib/timestamp.ts";
import { createWorkspace } from "../../support/acts.ts";
import { hasBrowser, type WatchedPage } from "../../support/browser.ts";
import { checkPage } from "../../support/browser-checks.ts";
import { type BrowserFixture, openBrowserFixture } from "../../support/browser-fixture.ts";
import { anApp, aReview, saveReviews } from "../../support/factories.ts";
import { choose, typeInto } from "../../support/hands.ts";

/** Rows of the current analysis are not analysed again during the test. */
const current = { analysisVersion };

let world: BrowserFixture;
let visitor: WatchedPage;
let page: Page;
let app: App;
let workspaceId = "";

const bar = () => page.getByRole("search");
/** Until the line above the list says so. */
const untilCounted = (count: number) =>
  page.getByText(`${count} reviews`, { exact: true }).waitFor();

describe.skipIf(!hasBrowser())("the reviews", { shuffle: false }, () => {
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
          ...current,
          date: new Date(now - (index + 1) * dayMs),
          rating: (index % 5) + 1,
          country: index % 4 === 0 ? "de" : "us",
          ...(index % 10 < 2 ? { topics: ["battery"], sentiment: "negative" as const } : {}),
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

  test("the first review is three presses from the top of the page", async () => {
    await page.goto(`/w/${workspaceId}/reviews`);
    await page.getByRole("article").first().waitFor();
    await page.keyboard.press("Tab");
    await page.keyboard.press("Tab");
    await page
      .getByRole("link", { name: "Skip to the reviews" })
      .and(page.locator(":focus"))
      .waitFor();
    await page.keyboard.press("Enter");
    await page.keyboard.press("Tab");
    await page.getByRole("article").first().locator(":focus").waitFor();
  });

  test("several stars are chosen, and the counts of the other filters follow", async () => {
    await untilCounted(40);
    await bar().locator("summary", { hasText: "Stars" }).click();
    await choose(bar(), "1 ★");
    await untilCounted(8);
    await choose(bar(), "2 ★");
    await untilCounted(16);
    expect(await checkPage(visitor, "reviews-stars-open")).toEqual([]);
    await page.keyboard.press("Escape");
    await bar().locator("summary", { hasText: "Topic" }).click();
    await expect.poll(() => bar().getByRole("checkbox").allInnerTexts()).toHaveLength(1);
    await expect
      .poll(() => bar().locator("label", { hasText: "Battery" }).innerText())
      .toContain("8");
    await choose(bar(), "Battery");
    await untilCounted(8);
    expect(new URL(page.url()).searchParams.get("rating")).toBe("1,2");
    await page.reload();
    await page.getByText("Stars: 1 ★, 2 ★").waitFor();
  });

  test("a channel is made of the view", async () => {
    await page.goto(`${page.url()}&country=us&range=90d`);
    await page.getByRole("link", { name: "Send these to a channel" }).click();
    await page.getByRole("heading", { name: "New channel" }).waitFor();
    await page.getByText("Not taken over from the list: Last 90 days.").waitFor();
    await expect.poll(() => page.getByLabel("1 ★").isChecked()).toBe(true);
    await expect.poll(() => page.getByLabel("3 ★").isChecked()).toBe(false);
    await expect.poll(() => page.getByLabel("Battery").isChecked()).toBe(true);
    await page.getByText("More filters: United States").waitFor();
  });

  test("the Overview leads to a comparison with the days before, and to the days since a release", async () => {
    await page.goto(`/w/${workspaceId}/overview?range=14d`);
    await page.getByRole("button", { name: /^Compare with/ }).click();
    await page.getByRole("menuitem", { name: "Previous 14 days" }).click();
    await page.getByRole("link", { name: /^14 reviews/ }).waitFor();
    await page.getByRole("link", { name: /^13 reviews/ }).waitFor();
    await page.goto(`/w/${workspaceId}/overview`);
    const picker = page.getByLabel("Date range, in UTC days");
    await picker.locator("option", { hasText: "Since 4.2.1" }).waitFor({ state: "attached" });
    await picker.selectOption({ label: "Since 4.2.1" });
    await page.waitForURL(/[?&]from=[\d-]+$/);
    const dates = bar().locator("summary", { hasText: /^Dates|^since/ });
    await page.goto(`/w/${workspaceId}/reviews?app=${app.id}`);
    await dates.click();
    await choose(bar(), "Since 4.2.1");
    await page.waitForURL(/[?&]from=[\d-]+/);
  });

  test("the slash key searches, and what arrives meanwhile is announced", async () => {
    await page.clock.install();
    await page.goto(`/w/${workspaceId}/reviews?country=de`);
    await untilCounted(10);
    await page.getByRole("article").first().waitFor();
    await page.keyboard.press("/");
    await expect.poll(() => page.locator(":focus").getAttribute("type")).toBe("search");
    const late = [1, 2, 3].map(() =>
      aReview({ ...current, country: "de", text: "Just now.", date: systemClock.now() }),
    );
    await saveReviews(world.service.deps.database, app, late);
    await page.clock.fastForward(minuteMs);
    await page.getByRole("button", { name: "3 new reviews" }).click();
    await untilCounted(13);
    await expect.poll(() => page.getByText("Just now.").count()).toBe(3);
    await typeInto(page.locator("input[type=search]"), "just now");
    await page.keyboard.press("Enter");
    await page.getByText("All reviews that the other filters leave were searched.").waitFor();
  });

  test("one review has an address of its own", async () => {
    await page.getByTitle("Link to this review").first().click();
    await page.getByRole("region", { name: "Open review" }).waitFor();
    const open = new URL(page.url()).searchParams.get("open") ?? "";
    expect(open).toContain(`${app.id}/`);
    await page.goto(`/w/${workspaceId}/reviews/${open}`);
    await page.getByRole("heading", { name: "Review", level: 1, exact: true }).waitFor();
    await page.getByText("Just now.").waitFor();
    expect(await checkPage(visitor, "review")).toEqual([]);
    expect(visitor.takeErrors()).toEqual([]);
  });

  test("a review is tagged, assigned and annotated, found again, and the changes are told", async () => {
    await typeInto(page.getByLabel("Tag", { exact: true }), "Regression");
    await page.getByRole("button", { name: "Add the tag" }).click();
    await page.getByRole("button", { name: "Remove the tag regression" }).waitFor();
    await page.getByRole("button", { name: "Not assigned (assign this review)" }).click();
    await page.getByRole("menuitem", { name: "lea" }).click();
    await typeInto(page.getByLabel("Note", { exact: true }), "Seen on tablets only.");
    await page.getByRole("button", { name: "Add the note" }).click();
    await page.getByRole("article").getByText("Seen on tablets only.").waitFor();
    await page.getByText("History").click();
    await page.getByText("lea assigned it to lea").waitFor();
    await page.getByText("lea added the tag regression").waitFor();
    expect(await checkPage(visitor, "review-work")).toEqual([]);
    await page.goto(`/w/${workspaceId}/reviews?tag=regression`);
    await page.getByText("1 review", { exact: true }).waitFor();
    await page.getByRole("link", { name: "@ lea" }).waitFor();
    await page.getByRole("link", { name: "1 note" }).waitFor();
  });

  test("a view is kept for everybody, renamed, given relative dates, removed and had back", async () => {
    const nav = page.getByRole("navigation", { name: "Pages" });
    await page.getByRole("button", { name: "Save this view" }).click();
    await typeInto(page.getByLabel("Name"), "Regressions");
    await page.getByRole("button", { name: "Save the view" }).click();
    await nav.getByRole("link", { name: "Regressions" }).waitFor();
    await page.goto(`/w/${workspaceId}/overview`);
    await nav.getByRole("link", { name: "Regressions" }).click();
    await page.getByText("1 review", { exact: true }).waitFor();
    expect(await checkPage(visitor, "reviews-view")).toEqual([]);
    await page.getByRole("button", { name: "View", exact: true }).click();
    await page.getByRole("menuitem", { name: "Rename" }).click();
    await typeInto(page.getByRole("dialog").getByLabel("Name"), "Tablets");
    await page.getByRole("button", { name: "Rename the view" }).click();
    await nav.getByRole("link", { name: "Tablets" }).waitFor();
    await bar().locator("summary", { hasText: "Dates" }).click();
    await choose(bar(), "Last 14 days");
    await page.getByRole("button", { name: "Update this view" }).click();
    await page.getByText("Tablets now has these filters").waitFor();
    await page.goto(`/w/${workspaceId}/overview`);
    await nav.getByRole("link", { name: "Tablets" }).click();
    await page.waitForURL(/range=14d&tag=regression/);
    await bar().locator("summary", { hasText: "Last 14 days" }).waitFor();
    await page.getByRole("button", { name: "View", exact: true }).click();
    expect(await checkPage(visitor, "reviews-view-menu")).toEqual([]);
    await page.getByRole("menuitem", { name: "Remove" }).click();
    await nav.getByRole("link", { name: "Tablets" }).waitFor({ state: "detached" });
    await page.getByRole("button", { name: "Undo" }).click();
    await nav.getByRole("link", { name: "Tablets" }).waitFor();
  });

  test("sides are not compared by stars where one of them has only some", async () => {
    await page.goto(`/w/${workspaceId}/reviews?country=de&rating=1`);
    await page.getByRole("main").getByRole("link", { name: "Compare" }).click();
    await page.getByRole("heading", { name: "Sentiment" }).waitFor();
    expect(await page.getByRole("heading", { name: "Stars" }).count()).toBe(0);
  });

  test("two countries are compared, and every number leads to its reviews", async () => {
    await page.goto(`/w/${workspaceId}/reviews?country=de`);
    await page.getByRole("main").getByRole("link", { name: "Compare" }).click();
    const right = page.getByRole("region", { name: "Side B" });
    await right.locator("summary", { hasText: "Country" }).click();
    await choose(right, "United States");
    await page.getByRole("link", { name: /^13 reviews/ }).waitFor();
    await page.getByRole("link", { name: /^30 reviews/ }).waitFor();
    await page.getByRole("heading", { name: "B: United States" }).waitFor();
    expect(await checkPage(visitor, "compare")).toEqual([]);
    const row = page.getByRole("row", { name: /Battery/ });
    const count = (await row.getByRole("link").nth(1).innerText()).split(" · ")[1];
    await row.getByRole("link").nth(1).click();
    await page.getByText(`${count} reviews`, { exact: true }).waitFor();
    expect(visitor.takeErrors()).toEqual([]);
  });
});
