// The seven jobs that people come for, with the clicks that each takes counted from the page where it starts.
import { verify } from "@octokit/webhooks-methods";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { StoreState } from "../../../simulator/store-state.ts";
import { analysisVersion } from "../../../src/analysis/analyze.ts";
import { systemClock } from "../../../src/lib/clock.ts";
import { dayMs } from "../../../src/lib/timestamp.ts";
import { hasBrowser, type WatchedPage } from "../../support/browser.ts";
import {
  type BrowserFixture,
  openBrowserFixture,
  password,
} from "../../support/browser-fixture.ts";
import { anApp, aReview, saveReviews } from "../../support/factories.ts";
import { press, typeInto } from "../../support/hands.ts";
import { waitFor } from "../../support/wait-for.ts";

const planner = { store: "appstore", externalAppId: "1700000003" } as const;
const storeState = new StoreState(systemClock);

/** Rows of the current analysis are not analysed again during the test. */
const current = { analysisVersion };

let world: BrowserFixture;
let visitor: WatchedPage;
let page: Page;
let base = "";

describe.skipIf(!hasBrowser())("the jobs", { shuffle: false }, () => {
  beforeAll(async () => {
    storeState.addApp({ ...planner, name: "Tidepool Planner", developer: "Paper Harbor" });
    world = await openBrowserFixture(storeState);
    visitor = await world.browser.newVisitor();
    page = visitor.page;
    await page.addInitScript({ content: clickCounter });
  });
  afterAll(() => world?.close());

  test("from a fresh service to a verified webhook: 8 clicks", async () => {
    await page.goto(world.setupLink);
    await typeInto(page.getByLabel("Your name"), "Mara Lind");
    await typeInto(page.getByLabel("E-mail"), "mara@example.com");
    await typeInto(page.getByLabel("Password"), password);
    await typeInto(page.getByLabel("Workspace name"), "Paper Harbor");
    await page.getByRole("button", { name: "Create the account" }).click();
    await page.getByRole("link", { name: "Add an app" }).click();
    await typeInto(page.getByLabel("Link, name or id"), "tidepool planner");
    await page.getByRole("button", { name: "Find" }).click();
    await page.getByRole("button", { name: "Follow Tidepool Planner, App Store" }).click();
    await page.getByRole("button", { name: "Add this app" }).click();
    await page.getByRole("link", { name: "Add a channel" }).click();
    await typeInto(page.getByLabel("Name"), "Everything");
    await typeInto(page.getByLabel("Endpoint URL"), world.receiver.url);
    await page.getByRole("button", { name: "Create the channel" }).click();
    const dialog = page.getByRole("dialog", { name: "Everything is ready" });
    const secret = await dialog.locator("code").first().innerText();
    await dialog.getByRole("button", { name: "Send a test" }).click();
    await dialog.getByText(/arrived: the answer was 200/).waitFor();
    const [sent] = await world.receiver.waitFor(1);
    const signature = String(sent?.headers["x-service-signature"]);
    expect(await verify(secret, sent?.body.toString() ?? "", signature)).toBe(true);
    expect(await countClicks()).toBeLessThanOrEqual(8);
    base = new URL(page.url()).pathname.split("/").slice(0, 3).join("/");
  });

  test("what people complain about since the release: told on Overview, no click", async () => {
    await addReleaseWithComplaints();
    await startAt("/overview");
    const card = page.getByRole("region", { name: "What changed" });
    await card.getByText("Battery", { exact: true }).waitFor();
    expect(await countClicks()).toBe(0);
    await card.getByRole("link", { name: "24 negative" }).click();
    await page.getByRole("heading", { name: "Reviews", level: 1 }).waitFor();
    await page.getByRole("status").getByText("24 reviews", { exact: true }).waitFor();
  });

  test("reviews of one star about a topic: 4 clicks; kept as a view: 2 more; a link to it: 2 more", async () => {
    await startAt("/reviews");
    const bar = page.getByRole("search");
    await press(bar.locator("summary", { hasText: "Stars" }));
    await press(bar.getByText("1 ★", { exact: true }));
    await press(bar.locator("summary", { hasText: "Topic" }));
    await press(bar.getByText("Battery", { exact: true }));
    await page.getByRole("status").getByText("24 reviews", { exact: true }).waitFor();
    expect(await countClicks()).toBe(4);
    await press(page.getByRole("button", { name: "Save this view" }));
    await typeInto(page.getByLabel("Name"), "Empty batteries");
    await press(page.getByRole("button", { name: "Save the view" }));
    await page.getByRole("link", { name: "Empty batteries" }).waitFor();
    expect(await countClicks()).toBe(6);
    await press(page.getByRole("button", { name: "Share", exact: true }));
    await press(page.getByRole("button", { name: "Create link" }));
    await page.getByRole("dialog").locator("code").waitFor();
    expect(await countClicks()).toBe(8);
  });

  test("a review is found by its words and assigned: 2 clicks", async () => {
    await startAt("/reviews");
    await page.getByRole("searchbox", { name: "Search in reviews" }).waitFor();
    await page.keyboard.press("/");
    await page.keyboard.type("battery suffers");
    await page.keyboard.press("Enter");
    await page.locator("[data-review] mark").first().waitFor();
    await press(page.getByRole("button", { name: "Assign this review" }).first());
    await press(page.getByRole("menuitem", { name: "Mara Lind" }));
    await page.getByRole("link", { name: "@ Mara Lind" }).waitFor();
    expect(await countClicks()).toBe(2);
  });

  test("a release is compared with the one before, and the page printed: 2 clicks each", async () => {
    await startAt("/overview");
    await press(page.getByRole("button", { name: "Compare with" }));
    await press(page.getByRole("menuitem", { name: "Version 1.9 and 2.0" }));
    await page.getByRole("heading", { name: "B: Lantern Log · App Store, version 2.0" }).waitFor();
    expect(await countClicks()).toBe(2);
    await startAt("/overview");
    await page.evaluate("window.print = () => { window.isPrinted = true; }");
    await press(page.getByRole("button", { name: "Share" }));
    await press(page.getByRole("menuitem", { name: "Print, or save as PDF" }));
    await page.waitForFunction("window.isPrinted");
    expect(await countClicks()).toBe(2);
  });

  test("why a storefront isn't read: 1 click", async () => {
    world.simulator.faultFlags.enable({ fault: "forbidden", when: { region: "de" } });
    await startAt("/sources");
    await page.getByRole("link", { name: "Tidepool Planner" }).click();
    await page.getByRole("button", { name: "Collect now" }).click();
    await waitFor(async () => (await readFailing()) > 0, {
      what: () => "a failing storefront",
      withinMs: 20_000,
    });
    await startAt("/overview");
    await page.getByText(/storefronts failing \(.*Germany/).waitFor();
    await page
      .getByRole("main")
      .getByRole("link", { name: /^Tidepool Planner/ })
      .first()
      .click();
    await page.getByText(/^Germany: .*403/).waitFor();
    expect(await countClicks()).toBe(1);
  });

  test("why deliveries fail, and sending them again: 3 clicks", async () => {
    world.receiver.reply({ kind: "status", status: 503, body: "back soon" });
    await startAt("/sources");
    await page.getByRole("link", { name: "Everything" }).click();
    await page.getByRole("button", { name: "Send a test" }).click();
    await page.getByText(/Your endpoint answered 503/).waitFor();
    await page.getByText(/Failing since/).waitFor();
    const count = world.receiver.requests.length;
    await startAt("/overview");
    await page.getByRole("link", { name: /^Sources.*failing/ }).click();
    await page.getByRole("link", { name: "Everything" }).click();
    await page.getByText(/Failing since .*HTTP 503/).waitFor();
    world.receiver.reply({ kind: "status", status: 200 });
    await page.getByRole("button", { name: "Retry all now" }).click();
    await world.receiver.waitFor(count + 1);
    await page.getByText(/Failing since/).waitFor({ state: "detached" });
    expect(await countClicks()).toBe(3);
  });

  test("a new secret while the old one goes on signing: 4 clicks", async () => {
    await startAt("/sources");
    await page.getByRole("link", { name: "Everything" }).click();
    await page.getByRole("link", { name: "Secret" }).click();
    await page.getByRole("button", { name: "Rotate", exact: true }).click();
    await page.getByRole("button", { name: "Rotate now" }).click();
    await page.getByText(/Two secrets are valid.* It stops at /).waitFor();
    expect(await countClicks()).toBe(4);
  });

  test("a key with the command that uses it: 3 clicks", async () => {
    await startAt("/overview");
    await page.getByRole("link", { name: "API keys" }).click();
    await page.getByRole("button", { name: "Create a key" }).click();
    await typeInto(page.getByLabel("Name"), "Weekly report");
    await page.getByRole("button", { name: "Create", exact: true }).click();
    const dialog = page.getByRole("dialog", { name: "Your new key" });
    const key = await dialog.locator("code").first().innerText();
    await expect.poll(() => dialog.locator("code").nth(1).innerText()).toContain(`Bearer ${key}`);
    expect(await countClicks()).toBe(3);
  });

  test("a further workspace for another team: 3 clicks", async () => {
    await startAt("/overview");
    await page.getByRole("button", { name: "Switch workspace" }).click();
    await page.getByRole("menuitem", { name: "New workspace" }).click();
    await typeInto(page.getByLabel("Name"), "Stone Harbor");
    await page.getByRole("button", { name: "Create the workspace" }).click();
    await page.getByRole("link", { name: "Add an app" }).first().waitFor();
    expect(await countClicks()).toBe(3);
    expect(new URL(page.url()).pathname).not.toContain(base);
    await page.getByRole("button", { name: "Stone Harbor" }).click();
    await page.getByRole("menuitem", { name: "Paper Harbor" }).click();
    await page.waitForURL(`**${base}/overview`);
  });

  test("somebody is invited: 3 clicks", async () => {
    await startAt("/overview");
    await page.getByRole("link", { name: "Settings" }).click();
    await page.getByRole("button", { name: "Invite" }).click();
    await page.getByRole("button", { name: "Create link" }).click();
    await page.getByRole("dialog").locator("code").first().waitFor();
    expect(await countClicks()).toBe(3);
  });
});

// Presses of the pointer: a click on a label fires two click events. Going to a text field doesn't count: the Tab key
// does that, too. Kept across page loads.
const clickCounter = `
  addEventListener("pointerdown", ({ target }) => {
    if (target.matches("input:not([type=checkbox], [type=radio]), textarea")) return;
    sessionStorage.setItem("clicks", Number(sessionStorage.getItem("clicks") ?? 0) + 1);
  }, true);
`;

function countClicks(): Promise<number> {
  return page.evaluate<number>(`Number(sessionStorage.getItem("clicks") ?? 0)`);
}

async function startAt(path: string): Promise<void> {
  await page.goto(`${base}${path}`);
  await page.getByRole("heading", { level: 1 }).waitFor();
  await page.evaluate(`sessionStorage.removeItem("clicks")`);
}

async function readFailing(): Promise<number> {
  const workspaceId = base.split("/")[2];
  const path = `/console/api/workspaces/${workspaceId}/alerts`;
  const response = await visitor.context.request.get(path);
  const { apps } = (await response.json()) as { apps: unknown[] };
  return apps.length;
}

/** Reviews of a separate app: quiet weeks, then a release that drains the battery. */
async function addReleaseWithComplaints(): Promise<void> {
  const { database } = world.service.deps;
  const now = systemClock.now().getTime();
  const workspaceId = base.split("/")[2] ?? "";
  const app = await anApp(database, { workspaceId, name: "Lantern Log", countries: ["us"] });
  const quiet = Array.from({ length: 84 }, (_, index) =>
    aReview({
      ...current,
      date: new Date(now - (4 + index / 3) * dayMs),
      ...{ version: "1.9", rating: 4, sentiment: "positive" as const },
      text: `Day ${index} went well, the log opens at once.`,
    }),
  );
  const complaints = Array.from({ length: 24 }, (_, index) =>
    aReview({
      ...current,
      date: new Date(now - (index / 12) * dayMs),
      ...{ version: "2.0", rating: 1, sentiment: "negative" as const, topics: ["battery"] },
      text: `The battery suffers: ${wordsFrom(index * 6)}.`,
    }),
  );
  await saveReviews(database, app, [...quiet, ...complaints]);
}

/** Six words that no other number gives, so that no two texts are nearly the same. */
function wordsFrom(first: number): string {
  return Array.from({ length: 6 }, (_, index) => {
    const number = first + index;
    return `${syllables[number % 12]}${syllables[Math.floor(number / 12)]}`;
  }).join(" ");
}

const syllables = ["ba", "co", "du", "fe", "gi", "ho", "ju", "ka", "li", "mo", "nu", "pe"];
