// The guides and the reference in the browser: search, neighbours, pictures and copy buttons.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { StoreState } from "../../simulator/store-state.ts";
import { systemClock } from "../../src/lib/clock.ts";
import { hasBrowser, type WatchedPage } from "../support/browser.ts";
import { checkPage } from "../support/browser-checks.ts";
import { type BrowserFixture, openBrowserFixture } from "../support/browser-fixture.ts";
import { press, typeInto } from "../support/hands.ts";

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
});
