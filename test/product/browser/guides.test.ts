// The guides and the reference in the browser: search, neighbours, pictures and copy buttons.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { StoreState } from "../../../simulator/store-state.ts";
import { systemClock } from "../../../src/lib/clock.ts";
import { hasBrowser, type WatchedPage } from "../../support/browser.ts";
import { checkPage, savePicture } from "../../support/browser-checks.ts";
import { type BrowserFixture, openBrowserFixture } from "../../support/browser-fixture.ts";
import { press, typeInto } from "../../support/hands.ts";

describe.skipIf(!hasBrowser())("guides in the browser", () => {
  let world: BrowserFixture;
  let visitor: WatchedPage;
  beforeAll(async () => {
    world = await openBrowserFixture(new StoreState(systemClock));
    visitor = await world.browser.newVisitor();
  });
  afterAll(() => world?.close());

  test("a search leads to a section, a code block is copied, and the next page is one click away", async () => {
    const { page } = visitor;
    await visitor.context.grantPermissions(["clipboard-read", "clipboard-write"]);
    await page.goto("/docs/guides");
    await typeInto(page.getByRole("searchbox", { name: "Search the guides" }), "helm volume");
    await page.keyboard.press("Enter");
    await page.waitForURL("**/docs/guides?q=*");
    await press(page.getByRole("link", { name: "Install › Kubernetes" }));
    await page.waitForURL("**/docs/guides/install#kubernetes");
    const block = page.locator("pre", { hasText: "npx starpost demo" });
    await block.hover();
    await press(block.getByRole("button", { name: "Copy" }));
    await block.getByRole("button", { name: "Copied" }).waitFor();
    const copied = await page.evaluate<string>("navigator.clipboard.readText()");
    expect(copied).toBe("npx starpost demo\nnpx starpost serve");
    expect(await checkPage(visitor, "guide-install")).toEqual([]);
    await press(page.locator('a[rel="next"]'));
    await page.waitForURL("**/docs/guides/quick-start");
  });

  test("pictures are shown, and pages and results pass the checks of every page", async () => {
    const { page } = visitor;
    await page.goto("/docs/guides/channels");
    const width = await page
      .locator("img")
      .evaluate((image: { naturalWidth: number }) => image.naturalWidth);
    expect(width).toBe(1280);
    expect(await checkPage(visitor, "guide-channels")).toEqual([]);
    await page.goto("/docs/guides?q=retry");
    expect(await checkPage(visitor, "guides-search")).toEqual([]);
    await page.goto("/docs");
    expect(await checkPage(visitor, "reference")).toEqual([]);
  });

  test("the reference has a search, allowed values, and the answer beside the text", async () => {
    const { page } = visitor;
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.goto("/docs");
    const reviews = page.locator("section#list-reviews, section#listreviews").first();
    const text = await reviews.locator("h4", { hasText: "Parameters" }).boundingBox();
    const answer = await reviews.locator("h4", { hasText: "Request" }).boundingBox();
    expect((answer?.x ?? 0) - (text?.x ?? 0)).toBeGreaterThan(300);
    await savePicture(page, "reference-1440");
    const sections = page.locator("main > section:visible");
    const count = await sections.count();
    await typeInto(
      page.getByRole("searchbox", { name: "Search the reference" }),
      "idempotency-key",
    );
    await expect.poll(() => sections.count()).toBeLessThan(count);
    const found = await sections.allTextContents();
    expect(found.length).toBeGreaterThan(0);
    for (const one of found) expect(one.toLowerCase()).toContain("idempotency-key");
    await typeInto(page.getByRole("searchbox", { name: "Search the reference" }), "sentiment");
    await savePicture(page, "reference-search");
    // The types of lists and their values, not "array".
    expect(await page.locator("td.type", { hasText: /^array/ }).count()).toBe(0);
    const values = page.locator("td", { hasText: /Each is one of .*positive/ });
    expect(await values.count()).toBeGreaterThan(0);
    expect(await checkPage(visitor, "reference-search")).toEqual([]);
  });
});
