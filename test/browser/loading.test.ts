// What the Overview loads: few requests, in few steps, with JSON compressed, and its data before all scripts have run.
import type { Request } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { StoreState } from "../../simulator/store-state.ts";
import { systemClock } from "../../src/lib/clock.ts";
import { createWorkspace } from "../../src/use-cases/members/workspaces.ts";
import { hasBrowser, type WatchedPage } from "../support/browser.ts";
import { type BrowserFixture, openBrowserFixture } from "../support/browser-fixture.ts";
import { anApp, aReview, saveReviews, saveSnapshots } from "../support/factories.ts";
import { press } from "../support/hands.ts";

let world: BrowserFixture;
let visitor: WatchedPage;
let home = "";

describe.skipIf(!hasBrowser())("the Overview loads", () => {
  beforeAll(async () => {
    world = await openBrowserFixture(new StoreState(systemClock));
    const { database } = world.service.deps;
    const { id: workspaceId } = await createWorkspace(world.service.deps, {
      ...{ name: "Reef", plan: "studio" },
    });
    const app = await anApp(database, { workspaceId, countries: ["us"] });
    await saveReviews(database, app, [aReview({ date: systemClock.now() })]);
    await saveSnapshots(database, app, [{}]);
    home = `/w/${workspaceId}`;
    visitor = await world.signIn({ email: "mara@example.com", workspaceId });
  });
  afterAll(() => world?.close());

  test("with at most 15 requests, a chunk for the page, and each answer once", async () => {
    const { page } = visitor;
    const requests: Request[] = [];
    page.on("request", (request) => requests.push(request));
    await page.goto(`${home}/overview`);
    await page.getByText("Countries and languages").waitFor();
    await page.locator("canvas").first().waitFor();
    // The icon is the logo, too.
    const paths = requests
      .map((request) => new URL(request.url()).pathname)
      .filter((path, index, all) => path !== "/favicon.svg" || all.indexOf(path) === index);
    expect(
      paths.filter((path) => path.startsWith("/assets/") && path.endsWith(".js")),
    ).toHaveLength(
      // The entry, what pages share, the bundler's own, the page, and the library of its charts.
      5,
    );
    expect(paths.filter((path, index) => paths.indexOf(path) !== index)).toEqual([]);
    expect(paths.length, paths.join("\n")).toBeLessThanOrEqual(15);
    const overview = requests.find((request) => /\/api\/.*\/overview\?/.test(request.url()));
    const headers = (await overview?.response())?.headers();
    expect(headers?.["content-encoding"]).toBe("gzip");
    expect(visitor.takeErrors()).toEqual([]);
  });

  test("on a phone in three screens, with charts and tables a press away", async () => {
    const { page } = visitor;
    await page.setViewportSize({ width: 390, height: 844 });
    await page.goto(`${home}/overview`);
    const more = page.getByRole("button", { name: "Show charts and tables" });
    await more.waitFor();
    expect(await page.evaluate<number>("document.documentElement.scrollHeight")).toBeLessThan(
      3_000,
    );
    await press(more);
    await page.getByText("Countries and languages").waitFor();
    expect(visitor.takeErrors()).toEqual([]);
  });
});
