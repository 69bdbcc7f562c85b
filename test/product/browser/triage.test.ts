// Triage by hand: reviews are selected and assigned several at a time, with the mouse and with keys, read beside the list,
// and marked as done; the list stays where it was.
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { StoreState } from "../../../simulator/store-state.ts";
import { analysisVersion } from "../../../src/analysis/analyze.ts";
import { systemClock } from "../../../src/lib/clock.ts";
import { dayMs } from "../../../src/lib/timestamp.ts";
import { createWorkspace } from "../../support/acts.ts";
import { hasBrowser, type WatchedPage } from "../../support/browser.ts";
import { checkPage } from "../../support/browser-checks.ts";
import { type BrowserFixture, openBrowserFixture } from "../../support/browser-fixture.ts";
import { anApp, aReview, saveReviews } from "../../support/factories.ts";
import { press, typeInto } from "../../support/hands.ts";

let world: BrowserFixture;
let visitor: WatchedPage;
let page: Page;
let home = "";

describe.skipIf(!hasBrowser())("triage", { shuffle: false }, () => {
  beforeAll(async () => {
    world = await openBrowserFixture(new StoreState(systemClock));
    const { deps } = world.service;
    const workspace = await createWorkspace(deps, { name: "Reef", plan: "studio" });
    home = `/w/${workspace.id}`;
    const app = await anApp(deps.database, { workspaceId: workspace.id, countries: ["us"] });
    await saveReviews(
      deps.database,
      app,
      Array.from({ length: 40 }, (_, index) =>
        aReview({
          analysisVersion,
          date: new Date(systemClock.now().getTime() - (index + 1) * dayMs),
          rating: (index % 5) + 1,
          author: `Author ${index + 1}`,
          text: `The tide table of harbour ${index + 1} is one hour late.`,
        }),
      ),
    );
    visitor = await world.signIn({ email: "mara@example.com", workspaceId: workspace.id });
    page = visitor.page;
  });
  afterAll(() => world?.close());

  test("three reviews are selected and assigned with six clicks, and done with one more", async () => {
    await page.goto(`${home}/reviews`);
    for (const author of ["Author 1", "Author 2", "Author 3"]) {
      await press(boxOf(author));
    }
    const bar = page.getByRole("form", { name: "Selected reviews" });
    await bar.getByText("3 reviews").waitFor();
    await press(bar.getByRole("button", { name: "Assign the selected reviews" }));
    await press(bar.getByRole("menuitem", { name: "mara" }));
    await page.getByText("3 reviews changed").waitFor();
    await page.getByRole("link", { name: "Assigned to me 3" }).waitFor();
    expect(await checkPage(visitor, "triage")).toEqual([]);
    await typeInto(bar.getByLabel("Tag for the selected reviews"), "tides");
    await page.keyboard.press("Enter");
    await page.getByText("# tides").nth(2).waitFor();
    await press(bar.getByRole("button", { name: "Done" }));
    await page.getByText("Done", { exact: true }).nth(3).waitFor();
    await page.getByRole("link", { name: /Assigned to me/ }).waitFor({ state: "detached" });
  });

  test("keys move, select, tag, assign and finish", async () => {
    await page.goto(`${home}/reviews`);
    await boxOf("Author 1").waitFor();
    for (const key of ["j", "j", "j", "j", "k", "j", "x"]) await page.keyboard.press(key);
    await expect.poll(() => boxOf("Author 4").isChecked()).toBe(true);
    await page.keyboard.press("j");
    await page.keyboard.press("x");
    await page.keyboard.press("t");
    await page
      .getByRole("textbox", { name: "Tag for the selected reviews" })
      .and(page.locator(":focus"))
      .waitFor();
    await page.keyboard.type("by keys");
    await page.keyboard.press("Enter");
    await page.getByText("# by keys").nth(1).waitFor();
    await boxOf("Author 5").focus();
    await page.keyboard.press("a");
    const sent: string[] = [];
    page.on("request", (request) => request.method() !== "GET" && sent.push(request.url()));
    await page.locator("[role=menuitem]:focus").waitFor();
    for (const key of ["ArrowDown", "ArrowDown", "ArrowUp", "Escape"])
      await page.keyboard.press(key);
    await expect.poll(() => page.getByRole("menu").count()).toBe(0);
    expect(sent).toEqual([]);
    await page.keyboard.press("a");
    await page.locator("[role=menuitem]:focus").waitFor();
    await page.keyboard.press("Enter");
    await page.getByRole("link", { name: "Assigned to me 2" }).waitFor();
    await boxOf("Author 5").focus();
    await page.keyboard.press("e");
    const statuses = page.locator("[data-review]").filter({ hasText: "by keys" });
    await statuses.getByText("Done", { exact: true }).nth(1).waitFor();
  });

  test.each([[{ width: 1440, height: 900 }], [{ width: 390, height: 844 }]])(
    "a review opens beside its list, leads to the next, and Back is at the same place: %j",
    async (size) => {
      await page.setViewportSize(size);
      await page.goto(`${home}/reviews?rating=1,2,3,4,5`);
      const card = page.locator("[data-review]").filter({ hasText: "Author 20" });
      await card.scrollIntoViewIfNeeded();
      const readTop = () => page.evaluate<number>("window.scrollY");
      const top = await readTop();
      expect(top).toBeGreaterThan(0);
      await press(card.getByTitle("Link to this review"));
      const panel = page.getByRole("region", { name: "Open review" });
      await panel.getByText("harbour 20 is").waitFor();
      await press(panel.getByRole("link", { name: "Next" }));
      await panel.getByText("harbour 21 is").waitFor();
      await press(panel.getByRole("button", { name: "Mark as done" }));
      await panel.getByRole("button", { name: "Open again" }).waitFor();
      expect(visitor.takeErrors()).toEqual([]);
      await press(panel.getByRole("button", { name: "Open again" }));
      await panel.getByRole("button", { name: "Mark as done" }).waitFor();
      await page.goBack();
      await panel.getByText("harbour 20 is").waitFor();
      await press(panel.getByRole("button", { name: "Back to the list" }));
      await panel.waitFor({ state: "detached" });
      expect(new URL(page.url()).search).toContain("rating=1");
      expect(Math.abs((await readTop()) - top)).toBeLessThan(8);
    },
  );

  test("one review is assigned on its card", async () => {
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.goto(`${home}/reviews?status=open`);
    const card = page.locator("[data-review]").filter({ hasText: "Author 9" });
    await press(card.getByRole("button", { name: "Assign this review" }));
    await press(page.getByRole("menuitem", { name: "mara" }));
    await card.getByRole("link", { name: "@ mara" }).waitFor();
    // Done in the first test.
    await expect.poll(() => boxOf("Author 1").count()).toBe(0);
  });
});

const boxOf = (author: string) =>
  page.getByRole("checkbox", { name: `Select the review of ${author}`, exact: true });
