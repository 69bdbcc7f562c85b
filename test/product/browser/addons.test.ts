// A user follows a browser add-on: it has one list for the whole world, so no storefronts are chosen.
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { StoreState } from "../../../simulator/store-state.ts";
import { systemClock } from "../../../src/lib/clock.ts";
import { hourMs } from "../../../src/lib/timestamp.ts";
import { hasBrowser } from "../../support/browser.ts";
import {
  type BrowserFixture,
  openBrowserFixture,
  password,
} from "../../support/browser-fixture.ts";
import { typeInto } from "../../support/hands.ts";

const addon = { store: "firefoxaddons", externalAppId: "2764310" } as const;

let world: BrowserFixture;
let page: Page;

describe.skipIf(!hasBrowser())("a browser add-on", { shuffle: false }, () => {
  beforeAll(async () => {
    world = await openBrowserFixture(createStores());
    ({ page } = await world.browser.newVisitor());
    await page.goto(world.setupLink);
    await typeInto(page.getByLabel("Your name"), "Mara Lind");
    await typeInto(page.getByLabel("E-mail"), "mara@example.com");
    await typeInto(page.getByLabel("Password"), password);
    await typeInto(page.getByLabel("Workspace name"), "Paper Harbor");
    await page.getByRole("button", { name: "Create the account" }).click();
    await page.getByRole("heading", { name: "Overview", level: 1 }).waitFor();
  });
  afterAll(() => world?.close());

  test("is found by its link, without a choice of storefronts", async () => {
    await page.getByRole("link", { name: "Sources" }).first().click();
    await page.getByRole("button", { name: "Add an app" }).click();
    const link = "https://addons.mozilla.org/en-US/firefox/addon/lanternfish-tides/";
    await typeInto(page.getByLabel("Link, name or ID"), link);
    await page.getByRole("button", { name: "Find" }).click();
    await page.getByRole("button", { name: "Follow Lanternfish Tides, Firefox Add-ons" }).click();
    await page.getByRole("button", { name: "Add this app" }).waitFor();
    expect(await page.getByRole("group", { name: /^Storefronts/ }).count()).toBe(0);
    await page.getByRole("button", { name: "Add this app" }).click();
    await page.getByText("Up to date").waitFor();
  });

  test("shows its reviews, which are found by store, with the world as their place", async () => {
    await page.getByRole("link", { name: "12 reviews" }).click();
    await page.getByText("End of list: 12 reviews.").waitFor();
    await page.getByText("World", { exact: true }).first().waitFor();
    await page.goto(page.url().replace(/\?.*/, "?store=firefoxaddons"));
    await page.getByText("End of list: 12 reviews.").waitFor();
  });

  test("has its ratings and its list on the Overview and on its own page", async () => {
    await page.getByRole("link", { name: "Overview" }).first().click();
    await page.getByText("3.70").first().waitFor();
    await page.getByRole("cell", { name: "World" }).waitFor();
    await page.getByRole("link", { name: "Sources" }).first().click();
    await page
      .getByRole("link", { name: /Lanternfish Tides/ })
      .first()
      .click();
    await page.getByText("2 feeds").click();
    await page.getByText("Reviews, World").waitFor();
    expect(await page.getByRole("heading", { name: "Name", exact: true }).count()).toBe(1);
  });
});

function createStores(): StoreState {
  const storeState = new StoreState(systemClock);
  storeState.addApp({ ...addon, name: "Lanternfish Tides", bundleId: "tides@x.example" });
  storeState.setRatings(addon, { region: "001", histogram: [4, 1, 2, 3, 10] });
  const now = systemClock.now().getTime();
  for (let index = 0; index < 12; index += 1) {
    storeState.addReview(addon, {
      ...{ region: "001", rating: 1 + (index % 5), at: new Date(now - (index + 1) * hourMs) },
      text: index % 3 ? `The tide table of port ${index} is right` : "",
    });
  }
  return storeState;
}
