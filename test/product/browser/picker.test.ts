// One picker wherever people choose from many: 60 apps, 31 versions and 12 members, by mouse and by keys.
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { StoreState } from "../../../simulator/store-state.ts";
import type { MemberRole } from "../../../src/domain/people/user.ts";
import { systemClock } from "../../../src/lib/clock.ts";
import { createUser } from "../../../src/use-cases/accounts/users.ts";
import { createWorkspace } from "../../support/acts.ts";
import { hasBrowser, type WatchedPage } from "../../support/browser.ts";
import { checkPage, savePicture } from "../../support/browser-checks.ts";
import {
  type BrowserFixture,
  openBrowserFixture,
  password,
} from "../../support/browser-fixture.ts";
import { anApp, aReview, saveReviews } from "../../support/factories.ts";
import { choose, press, typeInto } from "../../support/hands.ts";
import { listReachProblems } from "../../support/reach-checks.ts";

const appCount = 60;
const longName =
  "Reisekostenabrechnungsverwaltung für Außendienstmitarbeiterinnen der Hafenbehörde 2026";
const nameOf = (index: number) =>
  index === 7 ? longName : `Tidepool ${String(index).padStart(2, "0")}`;
const viewportHeight = 900;

let world: BrowserFixture;
let visitor: WatchedPage;
let page: Page;
let home = "";
let firstApp = "";

describe.skipIf(!hasBrowser())("the picker", () => {
  beforeAll(async () => {
    world = await openBrowserFixture(new StoreState(systemClock));
    const { deps } = world.service;
    const { id: workspaceId } = await createWorkspace(deps, { name: "Reef", plan: "studio" });
    home = `/w/${workspaceId}`;
    const now = systemClock.now();
    for (let index = 0; index < appCount; index += 1) {
      const externalAppId = String(1_700_000_000 + index);
      const input = { workspaceId, name: nameOf(index), externalAppId };
      const app = await anApp(deps.database, input);
      const reviews = Array.from({ length: index === 0 ? 31 : 1 }, (_, at) =>
        aReview({ date: now, version: `4.${at}`, storeReviewId: `${index}-${at}` }),
      );
      await saveReviews(deps.database, app, reviews);
      if (index === 0) firstApp = app.id;
    }
    visitor = await world.signIn({ email: "mara@example.com", workspaceId });
    page = visitor.page;
    for (let index = 0; index < 12; index += 1) {
      const role: MemberRole = index === 11 ? "viewer" : "member";
      const email = `${role}-${index}@example.com`;
      const user = { name: `${role} ${index}`, role, email, password, workspaceId };
      await createUser({ ...deps, actor: "test" }, user);
    }
  });
  afterAll(() => world?.close());

  test("a channel's form with 60 apps fits two screens, with its button in reach", async () => {
    await page.setViewportSize({ width: 1440, height: viewportHeight });
    await page.goto(`${home}/sources/channels/new`);
    for (const name of ["Apps", "Topics"])
      await choose(page.getByRole("group", { name, exact: true }), "Only some");
    const create = page.getByRole("button", { name: "Create the channel" });
    const box = await create.boundingBox();
    expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThanOrEqual(viewportHeight);
    await savePicture(page, "picker-form-empty");
    const height = await page.evaluate<number>("document.documentElement.scrollHeight");
    expect(height).toBeLessThanOrEqual(2 * viewportHeight);
    const apps = page.getByRole("group", { name: "Selected apps" });
    const boxes = apps.getByRole("checkbox");
    await expect.poll(() => boxes.count()).toBe(appCount);
    await press(apps.getByRole("button", { name: "All", exact: true }));
    await apps.getByText(`${appCount} of ${appCount}`).waitFor();
    await press(apps.getByRole("button", { name: "None", exact: true }));
    await apps.getByText(`0 of ${appCount}`).waitFor();
    await typeInto(apps.getByRole("searchbox"), "hafenbehörde reise");
    await expect.poll(() => boxes.count()).toBe(1);
    await page.keyboard.press("Enter");
    await typeInto(apps.getByRole("searchbox"), "tidepool 0");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Space");
    await apps.getByText(`2 of ${appCount}`).waitFor();
    await typeInto(apps.getByRole("searchbox"), "");
    const chosen = apps.locator("label", { has: page.locator("input:checked") });
    await expect
      .poll(async () => (await chosen.allInnerTexts()).map((name) => name.split(",")[0]))
      .toEqual([expect.stringContaining(longName), expect.stringContaining("Tidepool 01")]);
    for (const width of [1440, 1024, 390]) {
      await page.setViewportSize({ width, height: viewportHeight });
      await savePicture(page, `picker-form-${width}`);
    }
    expect(await checkPage(visitor, "picker-form")).toEqual([]);
  });

  test("the apps of Reviews, and the version of a release, are searched and chosen by keys", async () => {
    await page.goto(`${home}/reviews`);
    const bar = page.getByRole("search");
    await press(bar.locator("summary", { hasText: /^App/ }));
    const search = bar.getByRole("searchbox", { name: "Search apps" });
    const names = await bar.locator("details[open] label:has(input)").allInnerTexts();
    expect(names).toEqual(names.toSorted((one, other) => one.localeCompare(other)));
    expect(await checkPage(visitor, "picker-apps")).toEqual([]);
    expect(await listReachProblems(page)).toEqual([]);
    await typeInto(search, "tidepool 42");
    await page.keyboard.press("Enter");
    await bar.locator("summary", { hasText: /^App: Tidepool 42/ }).waitFor();
    await page.goto(`${home}/releases/${firstApp}?version=4.30`);
    await press(page.locator("main summary", { hasText: "4.30" }));
    await typeInto(page.getByRole("searchbox", { name: "Search versions" }), "4.17");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Version 4.17" }).waitFor();
    await page.goto(`${home}/overview`);
    // The picker is drawn again with the figures.
    await page.locator('main [aria-busy="false"]').first().waitFor();
    await press(page.locator("main summary", { hasText: "All apps" }));
    await typeInto(page.getByRole("searchbox", { name: "Search apps" }), "tidepool 13");
    await page.keyboard.press("Enter");
    await page.locator("main summary", { hasText: "Tidepool 13" }).waitFor();
    expect(visitor.takeErrors()).toEqual([]);
  });

  test("a review is assigned to a member who is searched for, and never to a viewer", async () => {
    await page.goto(`${home}/reviews?app=${firstApp}`);
    await press(page.getByRole("button", { name: "Assign this review" }).first());
    const menu = page.getByRole("menu");
    await expect.poll(() => menu.getByRole("menuitem").count()).toBe(12);
    expect((await menu.innerText()).includes("viewer")).toBe(false);
    expect(await checkPage(visitor, "picker-members")).toEqual([]);
    await page.keyboard.type("member 7");
    await expect.poll(() => menu.getByRole("menuitem").allInnerTexts()).toEqual(["member 7"]);
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    await page.getByText("@ member 7").first().waitFor();
    expect(visitor.takeErrors()).toEqual([]);
  });
});
