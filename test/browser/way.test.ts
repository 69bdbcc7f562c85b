// One person's whole way through the pages: from the set-up link over the first app and channel to a
// revoked key, with the real service behind them and a customer's endpoint at the other end.
import { verify } from "@octokit/webhooks-methods";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { World } from "../../simulator/world.ts";
import { systemClock } from "../../src/lib/clock.ts";
import { hasBrowser, type WatchedPage } from "../support/browser.ts";
import { type BrowserWorld, openBrowserWorld, password } from "../support/browser-world.ts";
import type { Received } from "../support/receiver.ts";

const planner = { store: "appstore", externalAppId: "1700000001" } as const;
const stores = new World(systemClock);

let world: BrowserWorld;
let person: WatchedPage;
let page: Page;
let secret = "";

describe.skipIf(!hasBrowser())("one person's way", () => {
  beforeAll(async () => {
    plantApps();
    world = await openBrowserWorld(stores);
    person = await world.browser.newPerson();
    page = person.page;
  });
  afterAll(() => world?.close());

  test("the set-up link makes the first account and its workspace", async () => {
    await page.goto(world.setupLink);
    await page.getByLabel("Your name").fill("Mara Lind");
    await page.getByLabel("E-mail").fill("mara@example.com");
    await page.getByLabel("Password").fill(password);
    await page.getByLabel("Workspace name").fill("Paper Harbor");
    await page.getByRole("button", { name: "Create the account" }).click();
    await page.getByRole("heading", { name: "Overview", level: 1 }).waitFor();
    await page.getByText("Paper Harbor").first().waitFor();
    // The link is used up: in another browser it opens nothing.
    const other = await world.browser.newPerson();
    await other.page.goto(world.setupLink);
    await other.page.getByText("not valid any more").waitFor();
    await other.context.close();
  });

  test("an app is found by its name, and its reviews arrive", async () => {
    await goTo("Sources");
    await page.getByRole("button", { name: "Add an app" }).click();
    await page.getByLabel("Link, name or id").fill("tidepool planner");
    await page.getByRole("button", { name: "Find" }).click();
    await page.getByRole("button", { name: "Choose Tidepool Planner, App Store" }).click();
    await page.getByRole("button", { name: "Add this app" }).click();
    await page.getByText("Up to date").waitFor();
    await page.getByRole("link", { name: "12 reviews" }).click();
    await page.getByText("That is all: 12 reviews.").waitFor();
    expect(await page.getByText("Loses my notes").count()).toBe(3);
  });

  test("a channel is made with filters, a preview beside it, and its secret", async () => {
    await goTo("Sources");
    await page.getByRole("link", { name: "Add a channel" }).click();
    await page.getByLabel("Name").fill("Angry people");
    await page.getByLabel("Address").fill(world.receiver.url);
    const stars = page.getByRole("group", { name: "Stars", exact: true });
    await stars.getByLabel("Only some").check();
    await page.getByLabel("1 ★").check();
    await page.getByLabel("2 ★").check();
    await page.getByText("3 times").waitFor();
    await page.getByRole("button", { name: "Create the channel" }).click();
    secret = await readCode(page, "Angry people is ready");
    expect(secret).toMatch(/^whsec_/);
    await page.getByRole("button", { name: "To the channel" }).click();
    await page.getByRole("heading", { name: "Angry people", level: 1 }).waitFor();
  });

  test("a test event arrives, verifies, and stands in the log", async () => {
    await page.getByRole("button", { name: "Send a test" }).click();
    const [sent] = await world.receiver.waitFor(1);
    expect(sent?.headers["x-service-test"]).toBe("1");
    expect(await isSigned(sent, secret)).toBe(true);
    const row = page.locator("details", { hasText: "Test" });
    await row.getByText("Delivered").waitFor();
    await row.locator("summary").click();
    await row.getByText("HTTP 200").waitFor();
  });

  test("a new review that matches is delivered, one that does not is not", async () => {
    write({ rating: 5, text: "Still the best planner." });
    write({ rating: 1, text: "The new release ate a week of plans." });
    await collectNow();
    const sent = (await world.receiver.waitFor(2))[1];
    expect(await isSigned(sent, secret)).toBe(true);
    expect(sent?.body.toString()).toContain("ate a week of plans");
    await openChannel();
    const row = page.locator("details", { hasText: "New review", hasNotText: "Test" }).first();
    await row.getByText("Delivered").waitFor();
    await row.locator("summary").click();
    await row.getByText("ate a week of plans").waitFor();
    expect(world.receiver.requests).toHaveLength(2);
  });

  test("an endpoint that is down shows since when and why, and a redelivery mends it", async () => {
    world.receiver.reply({ kind: "status", status: 503, body: "back soon" });
    write({ rating: 2, text: "Sync stops whenever I am abroad." });
    await collectNow();
    await world.receiver.waitFor(3);
    await openChannel();
    await page.getByText(/Failing since .*503/).waitFor();
    const row = page.locator("details", { hasText: "Waiting" }).first();
    await row.locator("summary").click();
    await row.getByText("back soon").waitFor();
    world.receiver.reply({ kind: "status", status: 200 });
    await row.getByRole("button", { name: "Redeliver" }).click();
    const [, , failed, again] = await world.receiver.waitFor(4);
    expect(again?.body.equals(failed?.body ?? Buffer.of())).toBe(true);
    await page.getByText(/Failing since/).waitFor({ state: "detached" });
  });

  test("a rotated secret signs from the next delivery on", async () => {
    await page.getByRole("button", { name: "Show the secret" }).click();
    await page.getByText(secret).waitFor();
    await page.getByRole("button", { name: "Rotate", exact: true }).click();
    await page.getByRole("button", { name: "Rotate now" }).click();
    await page.getByText(secret).waitFor({ state: "detached" });
    const fresh = await page.locator("code", { hasText: "whsec_" }).innerText();
    await page.getByRole("button", { name: "Send a test" }).click();
    const sent = (await world.receiver.waitFor(5))[4];
    expect([await isSigned(sent, fresh), await isSigned(sent, secret)]).toEqual([true, false]);
  });

  test("410 Gone removes the channel and leaves a notice", async () => {
    world.receiver.reply({ kind: "status", status: 410 });
    write({ rating: 1, text: "Crashes on every start." });
    await collectNow();
    await world.receiver.waitFor(6);
    await goTo("Sources");
    await page.getByText(/The channel Angry people was removed .*410/).waitFor();
    await page.getByText("No channel yet").waitFor();
    await page.getByRole("button", { name: "Dismiss" }).click();
    await page.getByText(/The channel Angry people/).waitFor({ state: "detached" });
  });

  test("a key works from its creation until it is revoked", async () => {
    await goTo("API keys");
    await page.getByRole("button", { name: "Create a key" }).click();
    await page.getByLabel("Name").fill("Weekly report");
    await page.getByRole("button", { name: "Create", exact: true }).click();
    const key = await readCode(page, "Your new key");
    await page.getByRole("button", { name: "Done" }).click();
    expect(await askApi(key)).toBe(200);
    await page.reload();
    await page.getByText("Weekly report").waitFor();
    expect(await page.getByText(key).count()).toBe(0);
    await page.getByRole("button", { name: "Revoke" }).click();
    await page.getByRole("button", { name: "Revoke the key" }).click();
    await page.getByText("Weekly report is revoked").waitFor();
    expect(await askApi(key)).toBe(401);
  });

  test("on all that way nothing was asked elsewhere and nothing failed", () => {
    expect(person.takeTroubles()).toEqual([]);
  });
});

function plantApps(): void {
  stores.addApp({ ...planner, name: "Tidepool Planner", developer: "Paper Harbor" });
  stores.addApp({ store: "googleplay", externalAppId: "app.tidepool", name: "Tidepool Planner" });
  for (let number = 1; number <= 12; number += 1) {
    const isAngry = number % 4 === 0;
    stores.addReview(planner, {
      region: number % 2 === 0 ? "us" : "gb",
      rating: isAngry ? 1 : 5,
      title: isAngry ? "Loses my notes" : "Calm and quick",
      text: `What I wrote on day ${number} ${isAngry ? "is gone after a sync" : "is still there"}.`,
      at: new Date(systemClock.now().getTime() - (3 + number) * 24 * 3_600_000),
    });
  }
}

function write(review: { rating: number; text: string }): void {
  stores.addReview(planner, { region: "us", title: "Today", ...review });
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
  await page.getByRole("link", { name: "Angry people" }).click();
  await page.getByRole("heading", { name: "Angry people", level: 1 }).waitFor();
}

/** The first line of code in a window: a secret that is shown once. */
function readCode(from: Page, title: string): Promise<string> {
  return from.getByRole("dialog", { name: title }).locator("code").first().innerText();
}

function isSigned(received: Received | undefined, by: string): Promise<boolean> {
  const signature = received?.headers["x-service-signature"] ?? "";
  return verify(by, received?.body.toString("utf8") ?? "", signature);
}

async function askApi(key: string): Promise<number> {
  const headers = { authorization: `Bearer ${key}` };
  return (await fetch(`${world.service.url}/api/v1/apps`, { headers })).status;
}
