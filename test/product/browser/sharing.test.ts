// Pages that an owner shares, opened by people without an account: in light and dark, narrow and wide.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createSampleStores } from "../../../simulator/sample-stores.ts";
import { createSampleWorkspace } from "../../../src/features/demo/sample-workspace.ts";
import { systemClock } from "../../../src/lib/clock.ts";
import { hasBrowser, type WatchedPage } from "../../support/browser.ts";
import { checkPage } from "../../support/browser-checks.ts";
import { type BrowserFixture, openBrowserFixture } from "../../support/browser-fixture.ts";
import { aReview, saveReviews } from "../../support/factories.ts";
import { typeInto } from "../../support/hands.ts";

const sample = createSampleStores({ clock: systemClock, pastDays: 60 });

let world: BrowserFixture;
let owner: WatchedPage;
let visitor: WatchedPage;
let base: string;
/** Paths that the visitor's browser asked for. */
const requested = new Set<string>();

describe.skipIf(!hasBrowser())("a shared page", () => {
  beforeAll(async () => {
    world = await openBrowserFixture(sample.storeState);
    const { workspaceId } = await createSampleWorkspace(world.service.deps, {
      ...{ ...sample, startedAt: systemClock.now(), receiverUrl: world.receiver.url },
      print: () => undefined,
    });
    base = `/w/${workspaceId}`;
    owner = await world.signIn({ email: "lea@example.com", workspaceId });
    visitor = await world.browser.newVisitor();
    visitor.context.on("request", (request) => {
      requested.add(`${request.method()} ${new URL(request.url()).pathname}`);
    });
  });
  afterAll(() => world?.close());

  test("is the Overview, live", async () => {
    await owner.page.goto(`${base}/overview?range=30d`);
    await owner.page.getByText("Countries and languages").waitFor();
    await openShareDialog();
    expect(await checkPage(owner, "share-dialog")).toEqual([]);
    const link = await makeLink("Live");
    expect(await checkPage(owner, "share-made")).toEqual([]);
    await openLink(link, "All apps");
    await visitor.page.getByText(/^Shared by .* live, as of/).waitFor();
    await visitor.page.getByText("Countries and languages").waitFor();
    await expectNoWay(visitor);
    expect(await checkPage(visitor, "shared-overview")).toEqual([]);
  });

  test("is a comparison", async () => {
    await owner.page.goto(
      `${base}/compare?${new URLSearchParams({ a: "rating=1", b: "rating=5" })}`,
    );
    await owner.page.getByText("Difference").first().waitFor();
    await owner.page.getByRole("button", { name: "Share", exact: true }).click();
    await openLink(await makeLink("Live"), "Comparison");
    await visitor.page.getByText("A: 1 ★").first().waitFor();
    await expectNoWay(visitor);
    expect(await checkPage(visitor, "shared-comparison")).toEqual([]);
  });

  test("is a saved view", async () => {
    await owner.page.goto(`${base}/reviews?rating=1`);
    await owner.page.getByRole("button", { name: "Save this view" }).click();
    await typeInto(owner.page.getByLabel("Name"), "Bad news");
    await owner.page.getByRole("button", { name: "Save the view" }).click();
    await owner.page.getByRole("button", { name: "Share", exact: true }).click();
    await openLink(await makeLink("Frozen"), "Bad news");
    await visitor.page.locator("[data-review]").first().waitFor();
    expect(await visitor.page.locator("[data-review]").count()).toBeGreaterThan(5);
    await expectNoWay(visitor);
    expect(await checkPage(visitor, "shared-view")).toEqual([]);
  });

  test("is a frozen report, whose figures stay after new reviews and after a reload", async () => {
    const { database } = world.service.deps;
    await owner.page.goto(`${base}/overview?range=30d`);
    await owner.page.getByText("Countries and languages").waitFor();
    await openShareDialog();
    await openLink(await makeLink("Report"), "All apps");
    await visitor.page.getByText(/^Shared by .* frozen, as of/).waitFor();
    const figure = (watched: WatchedPage) =>
      watched.page
        .locator("main")
        .getByText(/^Reviews$/)
        .first()
        .locator("xpath=..")
        .innerText();
    const [frozen, before] = [await figure(visitor), await figure(owner)];
    expect(frozen).toBe(before);
    const [app] = await database.listApps({ workspaceId: base.slice("/w/".length) });
    if (!app) throw new Error("the sample workspace has no app");
    await saveReviews(database, app, [aReview({ date: systemClock.now() }), aReview()]);
    await owner.page.reload();
    await owner.page.getByText("Countries and languages").waitFor();
    expect(await figure(owner)).not.toBe(before);
    await visitor.page.reload();
    await visitor.page.getByText(/frozen, as of/).waitFor();
    expect(await figure(visitor)).toBe(frozen);
    await expectNoWay(visitor);
    expect(await visitor.page.getByText("Countries and languages").isVisible()).toBe(false);
    expect(await checkPage(visitor, "shared-report")).toEqual([]);
    expect(await countPaper(visitor)).toBe(await countPaper(owner));
  });

  test("says that its link has ended, and the browser asked for nothing else of the workspace", async () => {
    await owner.page.goto(`${base}/settings?tab=outgoing`);
    await owner.page.getByRole("button", { name: "End", exact: true }).first().click();
    await owner.page.getByText(/^The link to .* has ended$/).waitFor();
    await visitor.page.reload();
    await visitor.page.getByText("This link has ended").waitFor();
    // The browser writes every answer that is an error to its console.
    visitor.takeErrors();
    expect(await checkPage(visitor, "shared-ended")).toEqual([]);
    const api = [...requested].filter((path) => path.includes("/console/"));
    expect(api.sort()).toEqual(["GET /console/api/session", "POST /console/api/shared"]);
  });
});

/** From the menu of the Overview. */
async function openShareDialog(): Promise<void> {
  await owner.page.getByRole("button", { name: "Share" }).click();
  await owner.page.getByRole("menuitem", { name: "Link for people without an account" }).click();
}

/** In the dialog that is open. */
async function makeLink(form: "Live" | "Frozen" | "Report"): Promise<string> {
  const { page } = owner;
  await page.getByText(new RegExp(`^${form}:`)).click();
  await page.getByRole("button", { name: "Create link" }).click();
  return page.getByRole("dialog").locator("code").innerText();
}

/** Pages of the report when it is printed. */
async function countPaper({ page }: WatchedPage): Promise<number> {
  await page.emulateMedia({ media: "print" });
  await page.evaluate("window.dispatchEvent(new Event('beforeprint'))");
  const paper = await page.pdf({ preferCSSPageSize: true });
  await page.evaluate("window.dispatchEvent(new Event('afterprint'))");
  await page.emulateMedia({ media: "screen" });
  return paper.toString("latin1").match(/\/Type\s*\/Page\b/g)?.length ?? 0;
}

async function openLink(link: string, title: string): Promise<void> {
  await visitor.page.goto("about:blank");
  await visitor.page.goto(link);
  await visitor.page.getByRole("heading", { name: title, level: 1 }).waitFor();
  await visitor.page.locator('[class*="skeleton"]').first().waitFor({ state: "detached" });
}

/** Neither navigation nor links: nothing on the page leads further. */
async function expectNoWay({ page }: WatchedPage): Promise<void> {
  expect(await page.locator("a, nav").count()).toBe(0);
  const robots = await page.context().request.get("/shared", { headers: { accept: "text/html" } });
  expect(robots.headers()["x-robots-tag"]).toBe("noindex");
  expect(robots.headers()["referrer-policy"]).toBe("same-origin");
}
