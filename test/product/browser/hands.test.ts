// The jobs that people do every day, done by hand: presses on words, taps on a phone and keys. Panels stay in the window,
// and text in its box. Each job is done once: with long names and large counts in a large window, or with forms on a
// phone. `npm run hands` does all of them at three sizes.
import type { Page, Route } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { StoreState } from "../../../simulator/store-state.ts";
import { analysisVersion } from "../../../src/analysis/analyze.ts";
import { channelDefaults } from "../../../src/domain/channel/channel.ts";
import { systemClock } from "../../../src/lib/clock.ts";
import { dayMs } from "../../../src/lib/timestamp.ts";
import { createUser } from "../../../src/use-cases/accounts/users.ts";
import { createChannel, createWorkspace } from "../../support/acts.ts";
import { hasBrowser, type WatchedPage } from "../../support/browser.ts";
import { type BrowserFixture, openBrowserFixture } from "../../support/browser-fixture.ts";
import { anApp, aReview, saveReviews } from "../../support/factories.ts";
import { choose, press, typeInto } from "../../support/hands.ts";
import { listLayoutProblems } from "../../support/layout-checks.ts";

type World = { name: string; home: string; appId: string; channelId: string };
type WorldKind = "narrow" | "wide";

const isFull = process.env["HANDS"] === "full";
const storeState = new StoreState(systemClock);
const sizes = [
  { width: 1440, height: 900 },
  { width: 1024, height: 768 },
  { width: 390, height: 844, isTouch: true },
];

let fixture: BrowserFixture;
let worlds: Record<WorldKind, World>;

describe.skipIf(!hasBrowser())("by hand", () => {
  beforeAll(async () => {
    sizes.forEach(({ width }, index) => {
      const externalAppId = `170000002${index}`;
      storeState.addApp({ store: "appstore", externalAppId, name: `Lantern ${width}` });
    });
    fixture = await openBrowserFixture(storeState);
    const names = { narrow: "Reef", wide: "Widely known ".repeat(5).slice(0, 60) };
    worlds = { narrow: await fill(names.narrow), wide: await fill(names.wide) };
  });
  afterAll(() => fixture?.close());

  test("every page keeps its columns at every size", async () => {
    const visitor = await signIn("walk@example.com", worlds.wide);
    const { page } = visitor;
    const problems: string[] = [];
    for (const path of paths) {
      await open(page, "wide", path);
      for (const { width, height } of sizes) {
        await page.setViewportSize({ width, height });
        // The first frame lays out the new width, the second draws the charts that depend on it.
        await page.evaluate(
          "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done())))",
        );
        const found = await listLayoutProblems(page);
        problems.push(...found.map((problem) => `${path} at ${width} px: ${problem}`));
      }
    }
    expect([...problems, ...visitor.takeErrors()]).toEqual([]);
    await leave(visitor);
  });

  describe.each(isFull ? sizes : sizes.filter(({ width }) => width !== 1024))(
    "at $width px",
    (size) => {
      const isPhone = size.isTouch === true;
      let visitor: WatchedPage;
      let page: Page;

      beforeAll(async () => {
        visitor = await signIn(`hands-${size.width}@example.com`, worlds.narrow, size);
        page = visitor.page;
      });
      afterEach(() => expect(visitor.takeErrors()).toEqual([]));
      afterAll(() => leave(visitor));

      describe.runIf(isFull || !isPhone)("with long names and large counts", () => {
        test("the words of a filter choose it, and its panel is in the window", async () => {
          await open(page, "wide", "/reviews");
          const bar = page.getByRole("search");
          for (const [filter, choice] of [
            ["Stars", "1 ★"],
            ["Sentiment", "Negative"],
            ["Topic", "Battery"],
            ["App", worlds.wide.name],
          ] as const) {
            await press(bar.locator("summary", { hasText: new RegExp(`^${filter}`) }));
            expect(await listLayoutProblems(page)).toEqual([]);
            await choose(bar.locator("details[open]"), choice);
            if (filter === "Stars") await choose(bar.locator("details[open]"), "2 ★");
            await bar.locator("summary", { hasText: `${filter}: ${choice}` }).waitFor();
          }
          for (const filter of ["Country", "Language", "Version", "Store", "More", "Dates"]) {
            await press(bar.locator("summary", { hasText: new RegExp(`^${filter}`) }));
            expect(await listLayoutProblems(page)).toEqual([]);
          }
          await press(bar.getByText("From", { exact: true }));
          await bar.getByLabel("From", { exact: true }).pressSequentially("01012026");
          await page.waitForURL(/from=2026-01-01/);
          expect(await listLayoutProblems(page)).toEqual([]);
          await press(page.getByRole("heading", { level: 1 }));
          await expect.poll(() => bar.locator("details[open]").count()).toBe(0);
        });

        test("two sides are compared", async () => {
          await open(page, "wide", "/compare?country=de");
          const right = page.getByRole("region", { name: "Side B" });
          await press(right.locator("summary", { hasText: "Country" }));
          await choose(right, "United States");
          await page
            .getByRole("link", { name: /^1,234,\d\d\d reviews/ })
            .first()
            .waitFor();
          expect(await listLayoutProblems(page)).toEqual([]);
        });

        test("menus open in the window", async () => {
          await open(page, "wide", "/overview");
          for (const name of ["Account and theme", "Workspace", ...(isPhone ? ["Pages"] : [])]) {
            const button = page.getByRole("button", { name });
            if ((await button.count()) === 0) continue;
            await press(button);
            expect(await listLayoutProblems(page)).toEqual([]);
            await page.keyboard.press("Escape");
          }
        });
      });

      // Dialogs look the same at 1024 and 1440 px.
      describe.runIf(isPhone || (isFull && size.width === 1440))("with forms", () => {
        test("an app is added with countries that are typed", async () => {
          await open(page, "narrow", "/sources?add=app");
          await typeInto(page.getByLabel("Link, name or id"), `Lantern ${size.width}`);
          await press(page.getByRole("button", { name: "Find" }));
          await press(
            page.getByRole("button", { name: `Follow Lantern ${size.width}, App Store` }),
          );
          const picker = page.getByRole("group", { name: "Storefronts" });
          await picker.getByText("10 of 175 selected").waitFor();
          expect(await listLayoutProblems(page)).toEqual([]);
          for (const country of ["Indonesia", "Denmark", "Austria"]) {
            await typeInto(picker.getByRole("searchbox"), country);
            await page.keyboard.press("Enter");
            await expect.poll(() => picker.getByRole("checkbox").count()).toBe(1);
            await choose(picker, country);
          }
          await picker.getByText("13 of 175 selected").waitFor();
          await press(picker.getByRole("button", { name: "EU" }));
          await picker.getByText("27 of 175 selected").waitFor();
          await press(picker.getByRole("button", { name: "Top 10" }));
          await typeInto(picker.getByRole("searchbox"), "Chile");
          await choose(picker, "Chile");
          await press(page.getByRole("button", { name: "Add this app" }));
          await page.getByText(`Lantern ${size.width} is now followed`).waitFor();
          const app = (
            await fixture.service.deps.database.listApps({ workspaceId: idOf(worlds.narrow) })
          ).find(({ name }) => name === `Lantern ${size.width}`);
          expect(app?.countries).toHaveLength(11);
          expect(app?.countries).toContain("cl");
        });

        test("reviews are kept as a view, and one is tagged and assigned", async () => {
          const name = `${size.width} ${"German bugs with few stars ".repeat(3)}`
            .slice(0, 60)
            .trim();
          await open(page, "narrow", `/reviews?country=de&rating=${sizes.indexOf(size) + 1}`);
          await press(page.getByRole("button", { name: "Save this view" }));
          await typeInto(page.getByLabel("Name"), name);
          await press(page.getByRole("button", { name: "Save the view" }));
          await page.getByText("Saved. The view is in the navigation.").waitFor();
          if (isPhone) await press(page.getByRole("button", { name: "Pages" }));
          await page.getByRole(isPhone ? "menuitem" : "link", { name }).waitFor();
          expect(await listLayoutProblems(page)).toEqual([]);
          await page.keyboard.press("Escape");
          await press(page.getByTitle("Link to this review").first());
          await typeInto(page.getByLabel("Tag", { exact: true }), `battery ${size.width}`);
          await press(page.getByRole("button", { name: "Add the tag" }));
          await page
            .getByRole("button", { name: `Remove the tag battery ${size.width}` })
            .waitFor();
          await press(page.getByRole("button", { name: /\(assign this review\)/ }));
          await press(page.getByRole("menuitem").first());
          await typeInto(page.getByLabel("Note", { exact: true }), "Seen on tablets.");
          await press(page.getByRole("button", { name: "Add the note" }));
          await page.getByText("Seen on tablets.").first().waitFor();
          expect(await listLayoutProblems(page)).toEqual([]);
        });

        test("a channel is made, fails, delivers again, and gets a new secret", async () => {
          await open(page, "narrow", "/sources/channels/new");
          await typeInto(page.getByLabel("Name"), `Low ratings ${size.width}`);
          await typeInto(page.getByLabel("Endpoint URL"), `${fixture.receiver.url}/${size.width}`);
          await choose(page.getByRole("group", { name: "Stars", exact: true }), "Only some");
          await choose(page, "1 ★");
          expect(await listLayoutProblems(page)).toEqual([]);
          await press(page.getByRole("button", { name: "Create the channel" }));
          expect(await listLayoutProblems(page)).toEqual([]);
          await press(page.getByRole("button", { name: "Go to the channel" }));
          fixture.receiver.reply({ kind: "status", status: 503, body: "back soon" });
          await press(page.getByRole("button", { name: "Send a test" }));
          await page.getByText(/503/).first().waitFor();
          const row = page.getByRole("main").locator("details").first();
          await press(row.locator("summary").first());
          await row.getByText("back soon").waitFor();
          await press(row.getByText("Request headers of attempt 1"));
          await row.getByText(/webhook-timestamp: \d+/).waitFor();
          expect(await listLayoutProblems(page)).toEqual([]);
          fixture.receiver.reply({ kind: "status", status: 200 });
          await press(row.getByRole("button", { name: "Redeliver" }));
          await row.getByText("Delivered").first().waitFor();
          await press(page.getByRole("link", { name: "Secret" }));
          await press(page.getByRole("button", { name: "Rotate", exact: true }));
          expect(await listLayoutProblems(page)).toEqual([]);
          await press(page.getByRole("button", { name: "Rotate now" }));
          await page.getByText(/Two secrets are valid/).waitFor();
          expect(await listLayoutProblems(page)).toEqual([]);
        });

        test("a press on a bar opens its reviews, on a phone after its values were read", async () => {
          await open(page, "narrow", "/overview");
          if (isPhone) await press(page.getByRole("button", { name: "Show charts and tables" }));
          const bar = page.locator("svg g[class*=stack]").last();
          await press(bar);
          if (isPhone) {
            await page.locator("[class*=tooltip]").waitFor();
            expect(new URL(page.url()).pathname).toMatch(/overview$/);
            await press(bar);
          }
          await page.waitForURL(/\/reviews\?/);
        });

        test("a key and a topic are made", async () => {
          await open(page, "narrow", "/keys");
          await press(page.getByRole("button", { name: "Create a key" }));
          await typeInto(page.getByLabel("Name"), `Weekly report ${size.width}`);
          await press(page.getByRole("button", { name: "Create", exact: true }));
          await page.getByText("Your new key").waitFor();
          expect(await listLayoutProblems(page)).toEqual([]);
          const focused = page.locator(":focus");
          expect(await focused.innerText()).toBe("Copy");
          await press(focused);
          // Above the dialog, which makes everything else unreachable.
          await page.locator(":popover-open", { hasText: /Key copied|did not allow/ }).waitFor();
          await open(page, "narrow", "/settings?tab=topics");
          await press(page.getByRole("button", { name: "Add a topic" }));
          const dialog = page.getByRole("dialog");
          await typeInto(dialog.getByLabel("Name"), `Tides ${size.width}`);
          await typeInto(dialog.getByLabel("Phrases"), "tide table*");
          await dialog.getByText(/Would have matched \d+ of the last/).waitFor();
          expect(await listLayoutProblems(page)).toEqual([]);
          await press(dialog.getByRole("button", { name: "Add the topic" }));
          await page.getByRole("row", { name: new RegExp(`Tides ${size.width}`) }).waitFor();
        });
      });
    },
  );
});

const paths = [
  ...["/overview", "/overview?app=:app", "/reviews", "/compare", "/sources", "/keys"],
  ...["/sources/apps/:app", "/sources/channels/new", "/sources/channels/:channel"],
  ...["/settings", "/settings?tab=you", "/settings?tab=topics", "/settings?tab=audit"],
];

/** A member of both workspaces. */
async function signIn(email: string, { home }: World, window: object = {}): Promise<WatchedPage> {
  const visitor = await fixture.signIn({ email, workspaceId: idOf({ home }), ...window });
  for (const other of Object.values(worlds).filter((one) => one.home !== home)) {
    const user = { email, role: "owner" as const, name: null, password: null };
    const deps = { ...fixture.service.deps, actor: "test" };
    await createUser(deps, { ...user, workspaceId: idOf(other) });
  }
  return visitor;
}

async function open(page: Page, kind: WorldKind, path: string): Promise<void> {
  // A route that is removed while its answer is being enlarged would be answered twice.
  await page.unrouteAll({ behavior: "wait" });
  if (kind === "wide") await page.route("**/console/api/**", enlargeCounts);
  const { home, appId, channelId } = worlds[kind];
  await page.goto(home + path.replace(":app", appId).replace(":channel", channelId));
  await page.locator("h1").waitFor();
  await page.locator('[class*="skeleton"]').first().waitFor({ state: "detached" });
}

async function leave(visitor: WatchedPage | undefined): Promise<void> {
  await visitor?.page.unrouteAll({ behavior: "wait" });
  await visitor?.context.close();
}

function idOf({ home }: Pick<World, "home">): string {
  return home.replace("/w/", "");
}

/** What the page would get if everything had happened a million times more often. */
async function enlargeCounts(route: Route): Promise<void> {
  const response = await route.fetch();
  const text = await response.text();
  await route.fulfill({
    response,
    body: text.replace(/("(?:\w*[cC]ount|total)":)(\d+)/g, (_, name: string, count: string) =>
      count === "0" ? `${name}0` : name + (1_234_000 + Number(count)),
    ),
  });
}

/** A workspace with two apps, a channel and a view, all of one name. */
async function fill(name: string): Promise<World> {
  const { deps } = fixture.service;
  const { id: workspaceId } = await createWorkspace(deps, { name, plan: "studio" });
  const app = await anApp(deps.database, { workspaceId, name, countries: ["us", "de"] });
  const other = await anApp(deps.database, {
    ...{ workspaceId, name: name.split("").reverse().join(""), store: "googleplay" },
    externalAppId: `app.example.${name.length}`,
  });
  const reviews = Array.from({ length: 40 }, (_, index) => aReviewOf(index));
  await saveReviews(deps.database, app, reviews);
  await saveReviews(deps.database, other, [aReviewOf(0)]);
  const input = { ...channelDefaults, name, url: fixture.receiver.url, workspaceId };
  const { channel } = await createChannel({ ...deps, actor: name }, input);
  return { name, home: `/w/${workspaceId}`, appId: app.id, channelId: channel.id };
}

function aReviewOf(index: number) {
  const isBad = index % 5 < 2;
  return aReview({
    // Rows of the current analysis are not analysed again during the test.
    analysisVersion,
    date: new Date(systemClock.now().getTime() - (index + 1) * dayMs),
    rating: (index % 5) + 1,
    country: index % 4 === 0 ? "de" : "us",
    sentiment: isBad ? "negative" : "positive",
    topics: isBad ? ["battery"] : [],
    text: isBad ? "The battery is empty by noon." : "The tide table is right every day.",
  });
}
