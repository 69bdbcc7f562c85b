// Content of extreme sizes: a review of 3,600 characters folds after eight lines, an app without anything says what to do,
// and a search acts while it is typed.
import type { Locator, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { StoreState } from "../../../simulator/store-state.ts";
import { systemClock } from "../../../src/lib/clock.ts";
import { createWorkspace } from "../../support/acts.ts";
import { hasBrowser, type WatchedPage } from "../../support/browser.ts";
import { checkPage, savePicture } from "../../support/browser-checks.ts";
import { type BrowserFixture, openBrowserFixture } from "../../support/browser-fixture.ts";
import { anApp, aReview, saveReviews } from "../../support/factories.ts";
import { press, typeInto } from "../../support/hands.ts";

const story = "Long story. ".repeat(300);
const ending = "At the very end, a lighthouse.";

/** How many lines of text fit into the element. */
async function countLines(text: Locator): Promise<number> {
  const box = await text.boundingBox();
  const lineHeight = await text
    .page()
    .evaluate<number>(
      `parseFloat(getComputedStyle(document.querySelector("article p")).lineHeight)`,
    );
  return Math.round((box?.height ?? 0) / lineHeight);
}

let world: BrowserFixture;
let visitor: WatchedPage;
let page: Page;
let home = "";
const apps = { full: "", empty: "" };

describe.skipIf(!hasBrowser())("content of any size", () => {
  beforeAll(async () => {
    world = await openBrowserFixture(new StoreState(systemClock));
    const { deps } = world.service;
    const { id: workspaceId } = await createWorkspace(deps, { name: "Reef", plan: "studio" });
    home = `/w/${workspaceId}`;
    const date = systemClock.now();
    const app = await anApp(deps.database, { workspaceId, name: "Full" });
    const texts = [story + ending, "Short and calm.", "Two words about harbours."];
    await saveReviews(
      deps.database,
      app,
      texts.map((text, index) => aReview({ date, text, storeReviewId: String(index) })),
    );
    apps.full = app.id;
    const empty = { workspaceId, externalAppId: "1700000002", name: "Empty", isCollected: false };
    apps.empty = (await anApp(deps.database, empty)).id;
    visitor = await world.signIn({ email: "mara@example.com", workspaceId });
    page = visitor.page;
  });
  afterAll(() => world?.close());

  test.each([1440, 390])(
    "a long review has eight lines at %i px, and all of it at a press",
    async (width) => {
      await page.setViewportSize({ width, height: 900 });
      await page.goto(`${home}/reviews`);
      const card = page.getByRole("article").filter({ hasText: "Long story" });
      const more = card.getByRole("button", { name: "Show the whole text" });
      await more.waitFor();
      expect(await page.getByRole("button", { name: "Show the whole text" }).count()).toBe(1);
      const text = card.locator("p", { hasText: "Long story" }).locator("xpath=..");
      await savePicture(page, `extremes-folded-${width}`);
      expect(await countLines(text)).toBe(8);
      await press(more);
      await card.getByText(ending).waitFor();
      await expect.poll(() => countLines(text)).toBeGreaterThan(16);
      await press(card.getByRole("button", { name: "Show less" }));
      await more.waitFor();
    },
  );

  test("a search acts while it is typed, keeps the focus, and shows hits at the end of a long text", async () => {
    await page.setViewportSize({ width: 1280, height: 900 });
    await page.goto(`${home}/reviews`);
    const cards = page.getByRole("article");
    await expect.poll(() => cards.count()).toBe(3);
    const search = page.getByRole("searchbox", { name: "Search in reviews" });
    await typeInto(search, "harbour");
    await expect.poll(() => cards.count()).toBe(1);
    await page.waitForURL(/q=harbour/);
    await page.keyboard.type("s");
    await page.waitForURL(/q=harbours/);
    expect(await search.inputValue()).toBe("harbours");
    await typeInto(search, "lighthouse");
    await expect.poll(() => cards.locator("mark").allInnerTexts()).toEqual(["lighthouse"]);
    expect(await cards.getByText(ending.slice(0, 12)).isVisible()).toBe(true);
    await typeInto(search, "");
    await expect.poll(() => cards.count()).toBe(3);
    await page.getByRole("link", { name: "Overview", exact: true }).click();
    await page.getByRole("heading", { name: "Overview", level: 1 }).waitFor();
    expect(visitor.takeErrors()).toEqual([]);
  });

  test("an app without anything has one card that says what to do", async () => {
    await page.goto(`${home}/overview?app=${apps.empty}`);
    await page.getByRole("heading", { name: "No reviews imported yet" }).waitFor();
    await page.getByText(`starpost import reviews --app ${apps.empty}`).waitFor();
    expect(await page.getByText("unusual complaints").count()).toBe(0);
    expect(await page.locator("main section").count()).toBe(1);
    expect(await checkPage(visitor, "extremes-empty-app")).toEqual([]);
    await press(page.getByRole("link", { name: "Collect from the store" }));
    await page.getByRole("heading", { name: "Empty", level: 1 }).waitFor();
  });

  test("a comparison of nothing with nothing says so, without tables of zeros", async () => {
    const sides = new URLSearchParams({ a: `app=${apps.empty}`, b: `app=${apps.empty}` });
    await page.goto(`${home}/compare?${sides}`);
    await page.getByText("Neither A nor B has reviews").waitFor();
    expect(await page.getByRole("table").count()).toBe(0);
    expect(visitor.takeErrors()).toEqual([]);
  });
});
