// A failure to load is reported in its place, and passes: of chunks of the pages, each request of each page, an
// upgrade that renamed the chunks, and a connection that is gone for a while.
import { readdirSync } from "node:fs";
import path from "node:path";
import type { Page, Route } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { StoreState } from "../../../simulator/store-state.ts";
import { routes } from "../../../src/dashboard-api/routes.ts";
import { systemClock } from "../../../src/lib/clock.ts";
import { hasBrowser, type WatchedPage } from "../../support/browser.ts";
import { type BrowserFixture, openBrowserFixture } from "../../support/browser-fixture.ts";
import { entrances, loaded, pages, sharedPage } from "../../support/dashboard-pages.ts";
import { press, typeInto } from "../../support/hands.ts";
import { addOneOfEach } from "../../support/one-of-each.ts";
import { longTest } from "../../support/patience.ts";

/** Parts of pages that are opened first. */
const parts: Readonly<Record<string, string>> = {
  reviews: "main details > summary:has-text('More')",
  "channel-log": "main details > summary",
  "settings-topics": "main button:has-text('Review matches')",
};

/** The browser itself requests them: images, and a download. */
const notOfPages = [
  "GET /workspaces/:workspace/icons",
  "GET /workspaces/:workspace/reviews/export",
];

const pressedMax = 40;

let world: BrowserFixture;
let visitor: WatchedPage;
let page: Page;
let home = "";
const ids = { app: "", review: "", channel: "" };

const fill = (text: string): string =>
  home + text.replace(/:(app|review|channel)/g, (_, name: keyof typeof ids) => ids[name]);
const answer = (status: number) => (route: Route) =>
  route.fulfill({ status, contentType: "text/plain", body: "no" });
const heading = (name: string) => page.getByRole("heading", { level: 1, name, exact: true });

describe.skipIf(!hasBrowser())("the last net", () => {
  beforeAll(async () => {
    world = await openBrowserFixture(new StoreState(systemClock));
    const added = await addOneOfEach(world.service);
    home = added.home;
    Object.assign(ids, added.ids);
    visitor = await world.signIn({ email: "mara@example.com", workspaceId: added.workspaceId });
    page = visitor.page;
  });
  afterAll(() => world?.close());

  test("every chunk of a page is among those that are tried", () => {
    const assets = path.resolve(import.meta.dirname, "../../../dist/dashboard/assets");
    const chunks = readdirSync(assets)
      .filter((name) => name.endsWith(".js"))
      .map((name) => name.replace(/-[\w-]{8}\.js$/, ""));
    const outside =
      /^(index|start|sign-in|charts|rolldown-runtime|uplot-chart|card-image|comparison|region-picker|second-factor-card|edit-versions|auth-messages|session-dialog|second-factor-needed)$/;
    expect(chunks.filter((name) => !outside.test(name)).sort()).toEqual(
      [...pages, sharedPage].map(([name]) => name).sort(),
    );
  });

  test.each(pages.flatMap((one) => [404, 500].map((status) => [status, ...one] as const)))(
    "%i for the chunk %s: the navigation stays, and the page comes with the next try",
    async (status, chunk, target, title) => {
      await page.goto(fill(target === "/keys" ? "/settings" : "/keys"));
      await heading(target === "/keys" ? "Settings" : "API keys").waitFor();
      const pattern = new RegExp(`/assets/${chunk}-[\\w-]{8}\\.js`);
      // A reload a moment ago: the page must not reload for ever.
      await page.evaluate("sessionStorage.setItem('starpost-reloaded-at', String(Date.now()))");
      await page.route(pattern, answer(status));
      await navigate(fill(target));
      await page.getByText("couldn't be loaded").waitFor();
      await page.getByRole("link", { name: "Settings" }).waitFor();
      await page.unroute(pattern);
      await press(page.getByRole("button", { name: "Try again" }));
      await heading(title).waitFor();
      visitor.takeErrors();
    },
  );

  test.each([404, 500])("%i for the chunk of the shared page", async (status) => {
    const stranger = await world.browser.newVisitor();
    const { page } = stranger;
    await page.addInitScript({
      content: "sessionStorage.setItem('starpost-reloaded-at', String(Date.now()))",
    });
    const [chunk, target] = sharedPage;
    const pattern = new RegExp(`/assets/${chunk}-[\\w-]{8}\\.js`);
    await page.route(pattern, answer(status));
    await page.goto(target);
    await page.getByText("couldn't be loaded").waitFor();
    await page.unroute(pattern);
    await press(page.getByRole("button", { name: "Try again" }));
    await page.getByText("couldn't be loaded").waitFor({ state: "detached" });
    await page.getByText("Loading the page").waitFor({ state: "detached" });
    expect(await page.locator("main").innerText()).not.toBe("");
    await stranger.context.close();
  });

  test.each(entrances.flatMap((one) => [404, 500].map((status) => [status, ...one] as const)))(
    "%i for the script of %s, before signing in: the page comes with the next try",
    async (status, _, target) => {
      const stranger = await world.browser.newVisitor();
      const { page } = stranger;
      await page.route(/\/assets\/.*\.js/, answer(status));
      await page.goto(target);
      await page.getByText("Starpost couldn't be loaded").waitFor();
      await page.unrouteAll();
      await press(page.getByRole("link", { name: "Try again" }));
      await page.getByRole("heading", { level: 1 }).waitFor();
      await page.getByText("Loading the page").waitFor({ state: "detached" });
      await stranger.context.close();
    },
  );

  test("after an upgrade the page is loaded anew by itself, once", async () => {
    await page.goto(`${home}/keys`);
    await heading("API keys").waitFor();
    await page.evaluate("sessionStorage.clear()");
    const pattern = /\/assets\/compare-/;
    let isOld = true;
    let reloadCount = 0;
    page.on("framenavigated", () => (reloadCount += 1));
    await page.route(pattern, (route) => (isOld ? answer(404)(route) : route.continue()));
    await page.route("**/w/**", (route) => {
      if (route.request().isNavigationRequest()) isOld = false;
      return route.continue();
    });
    reloadCount = 0;
    await navigate(`${home}/compare`);
    await heading("Compare").waitFor();
    expect(reloadCount).toBeLessThanOrEqual(2);
    await page.unrouteAll();
    visitor.takeErrors();
  });

  test(
    "each request of each page and tab may fail, and the frame and a heading stay",
    async () => {
      // Requests that all pages share are tried on the first one.
      const tried = new Set<string>();
      for (const [name, target] of loaded) {
        const own = await signInAs(name);
        const { page } = own;
        const requested: string[] = [];
        const note = (route: Route) => {
          const { pathname } = new URL(route.request().url());
          if (!tried.has(pathname)) requested.push(pathname);
          tried.add(pathname);
          return route.continue();
        };
        await page.route("**/console/api/**", note);
        await openWhole(page, target);
        await openPart(page, name);
        await page.unroute("**/console/api/**", note);
        for (const pathname of requested) {
          for (const status of [404, 500]) {
            const pattern = (url: URL) => url.pathname === pathname;
            await page.route(pattern, answer(status));
            await page.goto(fill(target));
            await page.locator("main h1").first().waitFor();
            if (pathname.endsWith("/session")) {
              await page.getByRole("button", { name: "Try again" }).waitFor();
            } else {
              await openPart(page, name);
              await page.locator("nav a").first().waitFor();
            }
            await page.unroute(pattern);
          }
        }
        // The refusals themselves are in the console; a crash would not be one of them.
        expect(own.takeErrors().filter((error) => !/status of (404|500)/.test(error))).toEqual([]);
        await own.context.close();
      }
      const missing = routes.flatMap(({ name }) => {
        const [method, path = ""] = name.split(" ");
        const pattern = new RegExp(`^/console/api${path.replaceAll(/:\w+/g, "[^/]+")}$`);
        const isRead = method === "GET" && ![...tried].some((one) => pattern.test(one));
        return isRead ? [name] : [];
      });
      expect(missing.sort()).toEqual(notOfPages);
    },
    longTest.timeout,
  );

  test.each(loaded)(
    "whatever is pressed on %s, a refused change is reported and the page stays",
    async (name, target) => {
      const own = await signInAs(`press-${name}`);
      const { page } = own;
      let count = 0;
      await page.route("**/console/api/**", (route) =>
        route.request().method() === "GET"
          ? route.continue()
          : answer(count++ % 2 === 0 ? 500 : 404)(route),
      );
      await openWhole(page, target);
      const address = page.url();
      const buttons = page.locator("main button:enabled:visible");
      for (let index = 0; index < Math.min(await buttons.count(), pressedMax); index += 1) {
        await buttons.nth(index).click();
        const dialog = page.getByRole("dialog");
        if ((await dialog.count()) > 0) await dialog.locator("button:enabled").last().click();
        for (let times = 0; times < 3; times += 1) await page.keyboard.press("Escape");
        if ((await dialog.count()) > 0 || page.url() !== address) await openWhole(page, target);
        await page.locator("main h1").first().waitFor();
        await page.getByRole("link", { name: "Settings" }).first().waitFor();
        expect(await page.getByText("Something went wrong on this page").count()).toBe(0);
      }
      expect(own.takeErrors().filter((error) => !/status of (404|500)/.test(error))).toEqual([]);
      await own.context.close();
    },
  );

  test("a page without its scripts says so instead of staying white", async () => {
    await page.route(/\/assets\/.*\.js/, answer(404));
    await page.goto(`${home}/keys`);
    await page.getByText("Starpost couldn't be loaded").waitFor();
    await page.unrouteAll();
    await press(page.getByRole("link", { name: "Try again" }));
    await heading("API keys").waitFor();
    visitor.takeErrors();
  });

  test("offline, the page says so, a form waits and says so, and both go on by themselves", async () => {
    await page.goto(fill("/reviews/:app/:review"));
    await typeInto(page.getByLabel("Note", { exact: true }), "Seen offline.");
    await visitor.context.setOffline(true);
    await page.getByText("You're offline").waitFor();
    await press(page.getByRole("button", { name: "Add the note" }));
    await page.getByText("Waiting for a connection").waitFor();
    await visitor.context.setOffline(false);
    await page.getByRole("article").getByText("Seen offline.").waitFor();
    await page.getByText("You're offline").waitFor({ state: "detached" });
    await expect.poll(() => page.getByText("Seen offline.").count()).toBe(1);
    visitor.takeErrors();
  });
});

/** As a link of the page does: nothing is loaded anew. */
async function navigate(to: string): Promise<void> {
  await page.evaluate(
    `history.pushState(null, "", ${JSON.stringify(to)}); dispatchEvent(new PopStateEvent("popstate"))`,
  );
}

/** A session has 600 requests a minute, and all pages together need more. */
function signInAs(name: string): Promise<WatchedPage> {
  return world.signIn({ email: `${name}@example.com`, workspaceId: home.replace("/w/", "") });
}

/** With all that it loads. */
async function openWhole(page: Page, target: string): Promise<void> {
  await page.goto(fill(target));
  await page.locator("main h1").first().waitFor();
  await expect.poll(() => page.locator('[class*="skeleton"]').count()).toBe(0);
}

/** Unless what it belongs to could not be read. */
async function openPart(page: Page, name: string): Promise<void> {
  const part = parts[name];
  if (!part) return;
  const first = page.locator(part).first();
  await first.or(page.getByRole("alert").first()).first().waitFor();
  if (!(await first.isVisible())) return;
  await Promise.all([page.waitForRequest("**/console/api/**"), first.click()]);
  await expect.poll(() => page.locator('[class*="skeleton"]').count()).toBe(0);
}
