// The service fails under every page: first 503, then 500, then no answer at all. The page says so all the time, asks at most
// ten times in 15 seconds, keeps what was typed, and recovers without a press. The browser's clock is the test's.
import type { Page, Route } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { StoreState } from "../../../simulator/store-state.ts";
import { systemClock } from "../../../src/lib/clock.ts";
import { hasBrowser, type WatchedPage } from "../../support/browser.ts";
import { savePicture } from "../../support/browser-checks.ts";
import { type BrowserFixture, openBrowserFixture } from "../../support/browser-fixture.ts";
import { entrances, loaded, sharedPage } from "../../support/dashboard-pages.ts";
import { typeInto } from "../../support/hands.ts";
import { addOneOfEach } from "../../support/one-of-each.ts";
import { waitFor } from "../../support/wait-for.ts";

const faults = [503, 500, "hang"] as const;
type Fault = (typeof faults)[number];

const outageMs = 15_000;
const requestsMax = 10;
const stepMs = 250;
/** The longest distance between two attempts, and the time limit of one. */
const recoveryMaxMs = 100_000;

/** Pages that anyone opens and that read something. */
const open = [...entrances.filter(([name]) => ["set-up", "join"].includes(name)), sharedPage];
const pages = [...loaded, ...open.map(([name, target]) => [name, target] as const)];

let world: BrowserFixture;
let visitor: WatchedPage;
let home = "";
const ids = { app: "", review: "", channel: "" };

describe.skipIf(!hasBrowser())("the service fails", () => {
  beforeAll(async () => {
    world = await openBrowserFixture(new StoreState(systemClock));
    const added = await addOneOfEach(world.service);
    home = added.home;
    Object.assign(ids, added.ids);
    visitor = await world.signIn({ email: "mara@example.com", workspaceId: added.workspaceId });
  });
  afterAll(() => world?.close());

  test.each(pages)("while %s is opened", async (_, target) => {
    const { page, service } = await openPage();
    service.fault = 503;
    await page.goto(fill(target));
    await pass(page, service, () => sayFailure(page).isVisible());
    await passOutage(page, service);
    await recover(page, service);
    await page.close();
  });

  test.each(loaded)("for all but the session while %s is opened", async (name, target) => {
    const { page, service } = await openPage();
    [service.fault, service.isSessionServed] = [503, true];
    await page.goto(fill(target));
    await pass(page, service, () => sayFailure(page).isVisible());
    await passOutage(page, service);
    await savePicture(page, `outage-${name}`);
    await recover(page, service);
    await page.close();
  });

  test.each(loaded)("while %s is shown and filled in", async (_, target) => {
    const { page, service } = await openPage();
    await page.goto(fill(target));
    await pass(page, service, () => isComplete(page));
    const field = page.locator(fields).first();
    if ((await field.count()) > 0) await typeInto(field, "Half a wo");
    // Older data is read again when the user comes back to the window.
    await page.clock.runFor(16_000);
    await service.settle();
    [service.fault, service.count] = [503, 0];
    await page.evaluate(`document.dispatchEvent(new Event("visibilitychange", { bubbles: true }))`);
    await pass(page, service, () => sayFailure(page).isVisible());
    await passOutage(page, service);
    await recover(page, service);
    if ((await field.count()) > 0) expect(await field.inputValue()).toBe("Half a wo");
    await page.close();
  });
});

const fields =
  "main :is(textarea, input:not([type]), input[type=text], input[type=search], input[type=url]):visible:enabled:not([readonly])";

const fill = (text: string): string =>
  (/^\/(setup|join|shared)/.test(text) ? "" : home) +
  text.replace(/:(app|review|channel)/g, (_, name: keyof typeof ids) => ids[name]);

const sayFailure = (page: Page) => page.locator("main [role=alert]", { hasText: "keeps trying" });

/** The requests of the page to the service, which answers as `fault` says. */
class Service {
  fault: Fault | null = null;
  isSessionServed = false;
  count = 0;
  #underWay = 0;
  readonly #page: Page;

  constructor(page: Page) {
    this.#page = page;
  }

  readonly answer = async (route: Route): Promise<void> => {
    this.count += 1;
    const isSession = new URL(route.request().url()).pathname.endsWith("/session");
    const fault = isSession && this.isSessionServed ? null : this.fault;
    // It is never answered, also not after the service is back.
    if (fault === "hang") return;
    this.#underWay += 1;
    try {
      if (fault === null) await route.fulfill({ response: await route.fetch() });
      else await route.fulfill({ status: fault, contentType: "text/plain", body: "no" });
    } catch {
      // The page aborted the request.
    } finally {
      this.#underWay -= 1;
    }
  };

  /** Until nothing is under way and the page has drawn what arrived. */
  async settle(): Promise<void> {
    await waitFor(async () => this.#underWay === 0, {
      what: () => "the answers",
      withinMs: 20_000,
    });
    await this.#page.evaluate("0");
  }
}

async function openPage(): Promise<{ page: Page; service: Service }> {
  const page = await visitor.context.newPage();
  const service = new Service(page);
  await page.route("**/console/api/**", service.answer);
  await page.clock.install();
  await page.clock.pauseAt(Date.now() + 1_000);
  return { page, service };
}

/** Each fault for a third of the time; the message is looked for after each step. */
async function passOutage(page: Page, service: Service): Promise<void> {
  let unsaidCount = 0;
  for (let passedMs = 0; passedMs < outageMs; passedMs += stepMs) {
    service.fault = faults[Math.floor((passedMs / outageMs) * faults.length)] ?? "hang";
    await page.clock.runFor(stepMs);
    await service.settle();
    if (!(await sayFailure(page).isVisible())) unsaidCount += 1;
  }
  expect(unsaidCount, "steps without a message").toBe(0);
  expect(service.count, "requests").toBeLessThanOrEqual(requestsMax);
}

async function recover(page: Page, service: Service): Promise<void> {
  service.fault = null;
  await pass(page, service, async () => {
    return (await sayFailure(page).count()) === 0 && (await isComplete(page));
  });
}

/** Lets time pass until something is so. */
async function pass(page: Page, service: Service, isSo: () => Promise<boolean>): Promise<void> {
  for (let passedMs = 0; passedMs < recoveryMaxMs; passedMs += stepMs) {
    await page.clock.runFor(stepMs);
    await service.settle();
    if (await isSo()) return;
  }
  expect.fail(`after ${recoveryMaxMs} ms: ${await page.locator("body").innerText()}`);
}

async function isComplete(page: Page): Promise<boolean> {
  const placeholders = page.locator('[class*="skeleton"], [class*="missing"]');
  return (await placeholders.count()) === 0 && (await page.locator("main :is(h1, h2)").count()) > 0;
}
