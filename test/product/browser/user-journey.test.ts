// One user's journey through the pages: from the set-up link over the first app and channel to a revoked
// key, with the real service and a webhook receiver.
import { verify } from "@octokit/webhooks-methods";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { StoreState } from "../../../simulator/store-state.ts";
import { systemClock } from "../../../src/lib/clock.ts";
import { hasBrowser, type WatchedPage } from "../../support/browser.ts";
import {
  type BrowserFixture,
  openBrowserFixture,
  password,
} from "../../support/browser-fixture.ts";
import { choose, typeInto } from "../../support/hands.ts";
import type { Received } from "../../support/receiver.ts";

const planner = { store: "appstore", externalAppId: "1700000001" } as const;
const storeState = new StoreState(systemClock);

let world: BrowserFixture;
let visitor: WatchedPage;
let page: Page;
let secret = "";

describe.skipIf(!hasBrowser())("a user's journey", { shuffle: false }, () => {
  beforeAll(async () => {
    addApps();
    world = await openBrowserFixture(storeState);
    visitor = await world.browser.newVisitor();
    page = visitor.page;
  });
  afterAll(() => world?.close());

  test("the set-up link makes the first account and its workspace", async () => {
    await page.goto(world.setupLink);
    await typeInto(page.getByLabel("Your name"), "Mara Lind");
    await typeInto(page.getByLabel("E-mail"), "mara@example.com");
    await typeInto(page.getByLabel("Password"), password);
    await typeInto(page.getByLabel("Workspace name"), "Paper Harbor");
    await page.getByRole("button", { name: "Create the account" }).click();
    await page.getByRole("heading", { name: "Overview", level: 1 }).waitFor();
    await page.getByText("Paper Harbor").first().waitFor();
    // The link works once: another browser is refused.
    const other = await world.browser.newVisitor();
    await other.page.goto(world.setupLink);
    await other.page.getByText("not valid any more").waitFor();
    await other.context.close();
  });

  test("an app is found by its name, and its reviews arrive", async () => {
    await goTo("Sources");
    await page.getByRole("button", { name: "Add an app" }).click();
    await typeInto(page.getByLabel("Link, name or id"), "tidepool planner");
    await page.getByRole("button", { name: "Find" }).click();
    await page.getByRole("button", { name: "Follow Tidepool Planner, App Store" }).click();
    await page.getByRole("button", { name: "Add this app" }).click();
    await page.getByText("Up to date").waitFor();
    await page.getByRole("link", { name: "12 reviews" }).click();
    await page.getByText("End of list: 12 reviews.").waitFor();
    await expect.poll(() => page.getByText("Loses my notes").count()).toBe(3);
  });

  test("a channel is created with filters, a preview beside it, and its secret", async () => {
    await goTo("Sources");
    await page.getByRole("link", { name: "Add a channel" }).click();
    await typeInto(page.getByLabel("Name"), "Low ratings");
    await typeInto(page.getByLabel("Endpoint URL"), world.receiver.url);
    const stars = page.getByRole("group", { name: "Stars", exact: true });
    await choose(stars, "Only some");
    await choose(page, "1 ★");
    await choose(page, "2 ★");
    await page.getByText("3 new").waitFor();
    await page.getByRole("button", { name: "Create the channel" }).click();
    secret = await readCode(page, "Low ratings is ready");
    expect(secret).toMatch(/^whsec_/);
    await page.getByRole("button", { name: "Go to the channel" }).click();
    await page.getByRole("heading", { name: "Low ratings", level: 1 }).waitFor();
  });

  test("a test event arrives, verifies, and stands in the log", async () => {
    await page.getByRole("button", { name: "Send a test" }).click();
    const [sent] = await world.receiver.waitFor(1);
    expect(sent?.headers["x-service-test"]).toBe("1");
    expect(await isSigned(sent, secret)).toBe(true);
    await page.getByText(/The test event arrived: the answer was 200 in \d+ ms/).waitFor();
    const row = page.locator("details", { hasText: "Test" });
    await row.getByText("Delivered").waitFor();
    await row.locator("summary").first().click();
    await row.getByText("HTTP 200", { exact: true }).waitFor();
  });

  test("a new review that matches is delivered, one that does not is not", async () => {
    addReview({ rating: 5, text: "Still the best planner." });
    addReview({ rating: 1, text: "The new release ate a week of plans." });
    await collectNow();
    const sent = (await world.receiver.waitFor(2))[1];
    expect(await isSigned(sent, secret)).toBe(true);
    expect(sent?.body.toString()).toContain("ate a week of plans");
    await openChannel();
    const row = page.locator("details", { hasText: "New review", hasNotText: "Test" }).first();
    await row.getByText("Delivered").waitFor();
    await row.locator("summary").first().click();
    await expect
      .poll(() => row.locator("summary").first().innerText())
      .toContain("Tidepool Planner");
    await row.locator("pre", { hasText: "ate a week of plans" }).waitFor();
    expect(world.receiver.requests).toHaveLength(2);
  });

  test("an endpoint that is down shows since when and why, and a redelivery succeeds", async () => {
    world.receiver.reply({ kind: "status", status: 503, body: "back soon" });
    addReview({ rating: 2, text: "Sync stops whenever I am abroad." });
    await collectNow();
    await world.receiver.waitFor(3);
    await openChannel();
    await page.getByText(/Failing since .*503/).waitFor();
    const row = page.locator("details", { hasText: "Retrying" }).first();
    await row.locator("summary").first().click();
    await row.getByText("back soon").waitFor();
    world.receiver.reply({ kind: "status", status: 200 });
    await row.getByRole("button", { name: "Redeliver" }).click();
    const [, , failed, again] = await world.receiver.waitFor(4);
    expect(again?.body.equals(failed?.body ?? Buffer.of())).toBe(true);
    await page.getByText(/Failing since/).waitFor({ state: "detached" });
  });

  test("a rotated secret signs from the next delivery on", async () => {
    await openTab("Secret");
    await page.getByRole("button", { name: "Show the secret" }).click();
    await page.getByText(secret).waitFor();
    await page.getByRole("button", { name: "Create the next secret" }).click();
    await page.getByText("The next secret signs nothing yet").waitFor();
    await page.getByText("The next one:").waitFor();
    await page.getByRole("button", { name: "Switch to the next secret" }).click();
    await page.getByRole("button", { name: "Switch now" }).click();
    await page.getByText(secret).waitFor({ state: "detached" });
    await page.getByText("The next one:").waitFor({ state: "detached" });
    const newSecret = await page.locator("code", { hasText: "whsec_" }).innerText();
    await page.getByText(/Two secrets are valid.* It stops at /).waitFor();
    await openTab("Log");
    await page.getByRole("button", { name: "Send a test" }).click();
    const sent = (await world.receiver.waitFor(5))[4];
    expect(countSignatures(sent)).toBe(2);
    expect([await isSigned(sent, newSecret), await isSigned(sent, secret)]).toEqual([true, false]);
  });

  test("the old secret is stopped at once", async () => {
    await openTab("Secret");
    await page.getByRole("button", { name: "Stop the old one now" }).click();
    await page.getByRole("button", { name: "Stop it now" }).click();
    await page.getByText("Two secrets are valid").waitFor({ state: "detached" });
    await openTab("Log");
    await page.getByRole("button", { name: "Send a test" }).click();
    expect(countSignatures((await world.receiver.waitFor(6))[5])).toBe(1);
  });

  test("410 Gone removes the channel and leaves a notice", async () => {
    world.receiver.reply({ kind: "status", status: 410 });
    addReview({ rating: 1, text: "Crashes on every start." });
    await collectNow();
    await world.receiver.waitFor(7);
    await goTo("Sources");
    await page.getByText(/The channel Low ratings was removed .*410/).waitFor();
    await page.getByText("No channel yet").waitFor();
    await page.getByRole("button", { name: "Dismiss" }).click();
    await page.getByText(/The channel Low ratings/).waitFor({ state: "detached" });
  });

  test("a key works from its creation until it is revoked", async () => {
    await goTo("API keys");
    await page.getByRole("button", { name: "Create a key" }).click();
    await typeInto(page.getByLabel("Name"), "Weekly report");
    await page.getByRole("button", { name: "Create", exact: true }).click();
    const key = await readCode(page, "Your new key");
    await page.getByRole("button", { name: "Done" }).click();
    expect(await callReadApi(key)).toBe(200);
    await page.reload();
    await page.getByText("Weekly report").waitFor();
    await expect.poll(() => page.getByText(key).count()).toBe(0);
    await page.getByRole("button", { name: "Revoke" }).click();
    await page.getByRole("button", { name: "Revoke the key" }).click();
    await page.getByText("Weekly report is revoked").waitFor();
    expect(await callReadApi(key)).toBe(401);
  });

  test("a product is followed in both stores at once, told from others by its developer", async () => {
    await goTo("Sources");
    await page.getByRole("button", { name: "Add an app" }).click();
    await typeInto(page.getByLabel("Link, name or id"), "lantern");
    await page.getByRole("button", { name: "Find" }).click();
    const found = page.getByRole("list", { name: "Found apps" }).getByRole("listitem");
    await found.nth(1).waitFor();
    const rows = await found.allInnerTexts();
    expect(rows.every((row) => row.includes("Quiet Pier"))).toBe(true);
    expect(rows.some((row) => /\d\.\d ★/.test(row))).toBe(true);
    await page.getByRole("button", { name: "Follow Lantern Log, App Store" }).click();
    await choose(page, "Follow it on Google Play, too");
    await page.getByRole("button", { name: "Add this app" }).click();
    await page.getByText("Lantern Log is now followed in both stores").waitFor();
    await expect.poll(() => page.getByRole("link", { name: "Lantern Log" }).count()).toBe(2);
  });

  test("nothing was requested elsewhere and nothing failed on the whole journey", () => {
    expect(visitor.takeErrors()).toEqual([]);
  });
});

function addApps(): void {
  storeState.addApp({ ...planner, name: "Tidepool Planner", developer: "Paper Harbor" });
  storeState.addApp({
    store: "googleplay",
    externalAppId: "app.tidepool",
    name: "Tidepool Planner",
  });
  const lantern = { name: "Lantern Log", developer: "Quiet Pier" };
  storeState.addApp({ store: "appstore", externalAppId: "1700000009", ...lantern });
  storeState.addApp({ store: "googleplay", externalAppId: "pier.lantern", ...lantern });
  for (let number = 1; number <= 12; number += 1) {
    const isLow = number % 4 === 0;
    storeState.addReview(planner, {
      region: number % 2 === 0 ? "us" : "gb",
      rating: isLow ? 1 : 5,
      title: isLow ? "Loses my notes" : "Calm and quick",
      text: `What I wrote on day ${number} ${isLow ? "is gone after a sync" : "is still there"}.`,
      at: new Date(systemClock.now().getTime() - (3 + number) * 24 * 3_600_000),
    });
  }
}

function addReview(review: { rating: number; text: string }): void {
  storeState.addReview(planner, { region: "us", title: "Today", ...review });
}

async function goTo(name: string): Promise<void> {
  await page.getByRole("navigation", { name: "Pages" }).getByRole("link", { name }).click();
  await page.getByRole("heading", { name, level: 1 }).waitFor();
}

async function collectNow(): Promise<void> {
  await goTo("Sources");
  await page.getByRole("link", { name: "Tidepool Planner" }).click();
  await page.getByRole("button", { name: "Collect now" }).click();
}

async function openChannel(): Promise<void> {
  await goTo("Sources");
  await page.getByRole("link", { name: "Low ratings" }).click();
  await page.getByRole("heading", { name: "Low ratings", level: 1 }).waitFor();
}

async function openTab(name: string): Promise<void> {
  const tabs = page.getByRole("navigation", { name: "Parts of the channel" });
  await tabs.getByRole("link", { name }).click();
}

function countSignatures(received: Received | undefined): number {
  return String(received?.headers["webhook-signature"]).split(" ").length;
}

/** The first line of code in a dialog: a secret that is shown once. */
function readCode(from: Page, title: string): Promise<string> {
  return from.getByRole("dialog", { name: title }).locator("code").first().innerText();
}

function isSigned(received: Received | undefined, key: string): Promise<boolean> {
  const signature = received?.headers["x-service-signature"] ?? "";
  return verify(key, received?.body.toString("utf8") ?? "", signature);
}

async function callReadApi(key: string): Promise<number> {
  const headers = { authorization: `Bearer ${key}` };
  return (await fetch(`${world.service.url}/api/v1/apps`, { headers })).status;
}
