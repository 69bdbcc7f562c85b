// Topics of a workspace's own on the pages: what phrases would find is shown while they are typed, the stored reviews
// get the topic, and filters and channels have it.
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
import { choose, typeInto } from "../../support/hands.ts";

let world: BrowserFixture;
let visitor: WatchedPage;
let page: Page;
let home = "";

describe.skipIf(!hasBrowser())("own topics", { shuffle: false }, () => {
  beforeAll(async () => {
    world = await openBrowserFixture(new StoreState(systemClock));
    const { database } = world.service.deps;
    const workspace = await createWorkspace(world.service.deps, { name: "Reef", plan: "studio" });
    home = `/w/${workspace.id}`;
    const app = await anApp(database, { workspaceId: workspace.id, countries: ["us"] });
    const now = systemClock.now().getTime();
    const text = (index: number) =>
      index % 3 === 0 ? "The sleep timer stops after a minute." : "Right every day.";
    await saveReviews(
      database,
      app,
      Array.from({ length: 30 }, (_, index) =>
        aReview({ analysisVersion, date: new Date(now - (index + 1) * dayMs), text: text(index) }),
      ),
    );
    visitor = await world.signIn({ email: "lea@example.com", workspaceId: workspace.id });
    page = visitor.page;
  });
  afterAll(() => world?.close());

  test("are defined with a preview, and found in stored reviews", async () => {
    await page.goto(`${home}/settings?tab=topics`);
    await page.getByText("None yet. Add one").waitFor();
    await page.getByRole("button", { name: "Add a topic" }).click();
    const dialog = page.getByRole("dialog");
    await typeInto(dialog.getByLabel("Name"), "Sleep timer");
    await typeInto(dialog.getByLabel("Phrases"), "sleep timer*");
    await dialog.getByText("Would have matched 10 of the last 30 reviews").waitFor();
    await typeInto(dialog.getByLabel("Phrases"), "sleep timer*\nright");
    await dialog.getByText("Would have matched 30 of the last 30 reviews").waitFor();
    await dialog.getByText("sleep timer* 10 · right 20").waitFor();
    await dialog.getByRole("button", { name: "Right", exact: true }).first().click();
    await dialog.getByText("sleep timer* 10 · right 0").waitFor();
    await expect
      .poll(() => dialog.getByLabel("Phrases").inputValue())
      .toBe("sleep timer*\nright\n-right");
    await expect.poll(() => dialog.locator("mark").first().textContent()).toBe("sleep timer");
    expect(await checkPage(visitor, "topic-preview")).toEqual([]);
    await dialog.getByRole("button", { name: "Add the topic" }).click();
    const row = page.getByRole("row", { name: /Sleep timer/ });
    await row.getByText("10", { exact: true }).waitFor();
    // A table took the place of a sentence when the answer came.
    await page.reload();
    await row.getByText("10", { exact: true }).first().waitFor();
    expect(await checkPage(visitor, "settings-own-topics")).toEqual([]);
    await row.getByRole("link", { name: "Sleep timer" }).first().click();
    await page.getByText("10 reviews", { exact: true }).waitFor();
    await page.getByRole("article").first().getByText("Sleep timer", { exact: true }).waitFor();
  });

  test("are on the Overview, with as many reviews as their list has", async () => {
    await page.goto(`${home}/overview`);
    const topics = page.getByRole("region", { name: "Topics" });
    await topics.getByRole("link", { name: /Sleep timer.*10 reviews/ }).click();
    await page.getByText("10 reviews", { exact: true }).waitFor();
  });

  test("learn from ticks, which hold at once", async () => {
    await page.goto(`${home}/settings?tab=topics`);
    await page.getByRole("button", { name: "Review matches of Sleep timer" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("button", { name: "Wrong" }).first().click();
    await dialog.getByRole("button", { name: "✕ Wrong" }).waitFor();
    expect(await checkPage(visitor, "topic-ticks")).toEqual([]);
    await dialog.getByRole("button", { name: "Done" }).click();
    const row = page.getByRole("row", { name: /Sleep timer/ });
    await row.getByText("9", { exact: true }).waitFor();
    await row.getByText("1 ticked: needs 20").waitFor();
    await row.getByRole("button", { name: "Review matches of Sleep timer" }).click();
    await dialog.getByRole("button", { name: "Right" }).nth(8).waitFor();
    await dialog.getByRole("button", { name: "Close" }).click();
  });

  test("say what is wrong beside the field", async () => {
    await page.goto(`${home}/settings?tab=topics`);
    await page.getByRole("button", { name: "Add a topic" }).click();
    const dialog = page.getByRole("dialog");
    await typeInto(dialog.getByLabel("Name"), "crash");
    await typeInto(dialog.getByLabel("Phrases"), "crash");
    await dialog.getByRole("button", { name: "Add the topic" }).click();
    await dialog.getByText("is a topic that every workspace has").waitFor();
    await dialog.getByRole("button", { name: "Cancel" }).click();
    // The refusal is what the page was asked for.
    visitor.takeErrors();
  });

  test("are choices of a channel, and stay while one filters by them", async () => {
    await page.goto(`${home}/sources`);
    await page.getByRole("link", { name: "Add a channel" }).click();
    await typeInto(page.getByLabel("Name", { exact: true }), "Sleep");
    await typeInto(page.getByLabel("Endpoint URL"), world.receiver.url);
    const topics = page.getByRole("group", { name: "Topics", exact: true });
    await choose(topics, "Only some");
    await choose(page, "Sleep timer");
    await page.getByText("Last 90 days: 9 new").waitFor();
    await page.getByRole("button", { name: "Create the channel" }).click();
    await page.getByRole("dialog").getByText("whsec_").waitFor();
    await page.goto(`${home}/settings?tab=topics`);
    await page.getByRole("button", { name: "Delete", exact: true }).click();
    await page.getByRole("button", { name: "Delete the topic" }).click();
    await page.getByRole("dialog").getByText("channels filter by this topic: Sleep").waitFor();
    visitor.takeErrors();
  });
});
