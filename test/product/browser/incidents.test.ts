// The "What changed" card shows the demo's story, and each of its numbers is the number of the list behind its link.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createSampleStores } from "../../../simulator/sample-stores.ts";
import { createSampleWorkspace } from "../../../src/features/demo/sample-workspace.ts";
import { systemClock } from "../../../src/lib/clock.ts";
import { hourMs } from "../../../src/lib/timestamp.ts";
import { hasBrowser, type WatchedPage } from "../../support/browser.ts";
import { checkPage, savePicture } from "../../support/browser-checks.ts";
import { type BrowserFixture, openBrowserFixture } from "../../support/browser-fixture.ts";
import { press } from "../../support/hands.ts";

const sample = createSampleStores({ clock: systemClock, pastDays: 90, isStory: true });

/** In the page: releases outside of the bar that contains their day, or without such a bar. */
const findMisplaced = `(() => {
  const marks = [...document.querySelectorAll("g[data-release]")];
  const bars = [...document.querySelectorAll("g[data-days]")].map((bar) => {
    const [from, to] = bar.dataset.days.split(" ");
    const { left, right } = bar.querySelector("rect").getBoundingClientRect();
    return { from, to, left, right };
  });
  if (bars.length === 0 || marks.length === 0) return ["nothing is drawn"];
  return marks.flatMap((mark) => {
    const day = mark.dataset.release;
    const x = mark.querySelector("line").getBoundingClientRect().left;
    const bar = bars.find(({ from, to }) => from <= day && day <= to);
    return bar && bar.left <= x && x <= bar.right ? [] : [day];
  });
})()`;

let world: BrowserFixture;
let visitor: WatchedPage;
let home = "";

/** The user looked at the Overview some hours ago, in whichever browser. */
async function wasHere(email: string, hours: number): Promise<void> {
  const { clock, database } = world.service.deps;
  const user = await database.findUserByEmail(email);
  const now = new Date(clock.now().getTime() - hours * hourMs);
  const workspaceId = home.slice("/w/".length);
  await database.recordVisit({ workspaceId, userId: user?.id ?? "", now, endedBefore: now });
}

describe.skipIf(!hasBrowser())("the demo's incidents", () => {
  beforeAll(async () => {
    world = await openBrowserFixture(sample.storeState);
    const { workspaceId } = await createSampleWorkspace(world.service.deps, {
      storeState: sample.storeState,
      from: sample.from,
      receiverUrl: world.receiver.url,
      print: () => {},
    });
    home = `/w/${workspaceId}`;
    visitor = await world.signIn({ email: "mara@example.com", workspaceId });
    await wasHere("mara@example.com", 30);
  });
  afterAll(() => world?.close());

  test("the release that drained the battery is named with its topic, and what fixed it", async () => {
    const { page } = visitor;
    await page.goto(`${home}/overview`);
    const card = page.getByRole("region", { name: "What changed" });
    const row = card.getByRole("listitem").filter({ hasText: "Battery" }).first();
    const words = await row.innerText();
    expect(words).toMatch(
      /\d+ negative of \d+ in \d+ days; before, \d+ of \d+ in \d+ (days|weeks) · \d\.\d\d ★ from \d/,
    );
    // Counted by version: stragglers on the old one don't undo the fix, on day 1 and on day 3.
    expect(words).toMatch(/^Fixed\n/);
    expect(words).toMatch(/Fixed in \d+\.\d+\.1: 0 of \d+ reviews complain about the battery/);
    expect(await checkPage(visitor, "incidents")).toEqual([]);
  });

  test("the whole story is on a screen and a half, and on one sheet of paper", async () => {
    const { page } = visitor;
    // A person who was here before sees one line more.
    await page.goto(`${home}/overview`);
    await page.getByText("Since you were here").waitFor();
    await page.setViewportSize({ width: 1440, height: 900 });
    expect(
      await page.evaluate<number>("document.documentElement.scrollHeight"),
    ).toBeLessThanOrEqual(2_140);
    await page.evaluate("window.dispatchEvent(new Event('beforeprint'))");
    await page.emulateMedia({ media: "print" });
    const paper = await page.pdf({ preferCSSPageSize: true });
    expect(paper.toString("latin1").match(/\/Type\s*\/Page\b/g)).toHaveLength(1);
    await page.emulateMedia({ media: "screen" });
    await page.evaluate("window.dispatchEvent(new Event('afterprint'))");
  });

  test("since you were here: the last visit is the account's, in whichever browser it was", async () => {
    const email = "noor@example.com";
    const workspaceId = home.slice("/w/".length);
    const work = await world.signIn({ email, workspaceId });
    await wasHere(email, 30);
    const read = async ({ page }: WatchedPage) => {
      await page.goto(`${home}/overview`);
      const line = page.getByText("Since you were here");
      await line.waitFor();
      return line.innerText();
    };
    const words = await read(work);
    expect(words).toMatch(/on \d{1,2} [A-Z][a-z]+ \d{4}, \d\d:\d\d: \d+ new reviews?/);
    const phone = await world.signInAgain({ email, workspaceId, width: 390, isTouch: true });
    expect(await read(phone)).toBe(words);
    // Reading goes on from there, and the list is what the line counts.
    expect(await read(work)).toBe(words);
    const link = work.page.getByText("Since you were here").getByRole("link").first();
    const count = Number.parseInt(await link.innerText(), 10);
    await press(link);
    await work.page.getByText(/^new since /).waitFor();
    await work.page
      .getByText(new RegExp(`^${count} reviews?\\b`))
      .first()
      .waitFor();
    await work.context.close();
    await phone.context.close();
  });

  test.each(["7d", "14d", "30d", "90d", "365d"])(
    "the line of each release is inside of the bar of its day, in the last %s",
    async (range) => {
      const { page } = visitor;
      await page.goto(`${home}/overview?range=${range}`);
      for (const chart of ["Volume", "Sentiment"]) {
        await press(page.getByRole("button", { name: chart, exact: true }));
        await page.locator("g[data-days]").first().waitFor({ state: "attached" });
        const misplaced = await page.evaluate<string[]>(findMisplaced);
        expect([chart, misplaced]).toEqual([chart, []]);
      }
      if (range !== "90d") return;
      // A release that a verdict calls worse has its name, also where others came on the same day.
      const card = page.getByRole("region", { name: "What changed" });
      const worse = (await card.innerText()).match(/\d+\.\d+\.0/g) ?? [];
      const names = await page.locator("g[data-release]").allTextContents();
      expect(worse.some((version) => names.some((name) => name.endsWith(version)))).toBe(true);
    },
  );

  test("past verdicts have a page with the evidence", async () => {
    const { page } = visitor;
    await page.goto(`${home}/overview`);
    const card = page.getByRole("region", { name: "What changed" });
    const row = card.getByRole("listitem").filter({ hasText: "Battery" }).first();
    await press(row.getByRole("link", { name: "Past verdicts" }));
    await page.getByRole("heading", { name: "Past verdicts" }).waitFor();
    const worse = page
      .getByRole("listitem")
      .filter({ hasText: "complain about the battery" })
      .first();
    expect(await worse.innerText()).toMatch(/^Fixed\n\d+\.\d+\.0\n/);
    expect(await worse.getByRole("img").getAttribute("aria-label")).toContain("20 decides");
    expect(await checkPage(visitor, "verdicts")).toEqual([]);
    await press(worse.getByRole("link", { name: "1", exact: true }));
    await page.getByText("battery", { exact: false }).first().waitFor();
  });

  test("every number equals the list behind its link", async () => {
    const { page } = visitor;
    await page.goto(`${home}/overview`);
    const card = page.getByRole("region", { name: "What changed" });
    await press(card.getByRole("button", { name: /Show all \d+/ }));
    const links = await card
      .locator('a[href*="/reviews?"]')
      .evaluateAll((found) =>
        (found as unknown as { href: string; textContent: string }[]).map(
          ({ href, textContent }) => ({ href, text: textContent }),
        ),
      );
    const numbers = links.filter(({ text }) => /negative$|since$|★$|reviews?$/.test(text));
    expect(numbers.length).toBeGreaterThan(6);
    for (const href of new Set(numbers.map((link) => link.href))) {
      await page.goto(href);
      // The list may come before the summary, and say how many reviews it looked through.
      const summary = { hasText: /^\d/, hasNotText: "searched so far" };
      const line = await page.getByRole("status").filter(summary).innerText();
      for (const { text } of numbers.filter((link) => link.href === href)) {
        const shown = text.endsWith("★")
          ? / (\d\.\d\d)/.exec(line)?.[1]
          : /^[\d,]+/.exec(line)?.[0];
        const expected = text.startsWith("none") ? "0" : /[\d.,]+/.exec(text)?.[0];
        expect([href, shown]).toEqual([href, expected]);
      }
    }
  });

  test("a release has a page with the days before and after by topic, and each number has its list", async () => {
    const { page } = visitor;
    await page.goto(`${home}/overview`);
    const card = page.getByRole("region", { name: "What changed" });
    const row = card.getByRole("listitem").filter({ hasText: "Battery" }).first();
    await press(row.getByRole("heading").getByRole("link"));
    const topics = page.getByRole("table", { name: /before and after the release/ });
    const battery = topics.getByRole("row", { name: /^Battery/ });
    await expect
      .poll(() => battery.innerText())
      .toMatch(/\+\d+\.\d points \(\+\d+\.\d to \+\d+\.\d\)/);
    expect(await checkPage(visitor, "release")).toEqual([]);
    const after = battery.getByRole("link").last();
    const count = /^\d+/.exec(await after.innerText())?.[0];
    await press(after);
    const status = page.getByRole("status").filter({ hasText: /^\d/ });
    expect(/^\d+/.exec(await status.innerText())?.[0]).toBe(count);
    await page.goBack();
    await press(page.getByRole("link", { name: /^Next: / }));
    await page.getByRole("heading", { name: /^Version \d+\.\d+\.1$/ }).waitFor();
  });

  test("the name of a release in a chart leads to its page", async () => {
    const { page } = visitor;
    await page.goto(`${home}/overview`);
    const names = page.locator('figure a[href*="/releases/"]');
    await names.first().waitFor();
    // Versions of two products are distinguished.
    await expect
      .poll(() => names.first().textContent())
      .toMatch(/^\u2068(Driftnote|Tidelist)\u2069 \d/);
    await press(names.first());
    await page.getByRole("heading", { name: /^Version / }).waitFor();
  });

  test("a comparison says the largest differences first, with the numbers of its rows", async () => {
    const { page } = visitor;
    await page.goto(`${home}/overview`);
    const card = page.getByRole("region", { name: "What changed" });
    const incident = card.getByRole("listitem").filter({ hasText: "Battery" }).first();
    const link = await incident.getByRole("heading").getByRole("link").getAttribute("href");
    const [, app = "", version = ""] = /releases\/([^?]+)\?version=(.+)$/.exec(link ?? "") ?? [];
    const sides = new URLSearchParams({ a: `app=${app}`, b: `app=${app}&version=${version}` });
    await page.goto(`${home}/compare?${sides}`);
    const headline = page.locator('[class*="headline"]');
    await headline.waitFor();
    const [, now, before] =
      /complaints about battery \((\S+%) instead of (\S+%)\)/.exec(await headline.innerText()) ??
      [];
    const row = page.getByRole("row", { name: /^Battery/ });
    const shares = await row.getByRole("link").allInnerTexts();
    expect(shares.map((one) => /\d+\.\d%/.exec(one)?.[0])).toEqual([before, now]);
    expect(await page.getByRole("heading", { level: 2, name: "Stars" }).count()).toBe(1);
    // Over time there are the same reviews, on one axis.
    const chart = page.getByRole("region", { name: "Reviews a day" });
    await expect.poll(() => chart.locator("svg g[data-line]").count()).toBe(2);
    await press(chart.getByText("View as table"));
    const cells = await chart.getByRole("cell").allInnerTexts();
    const counts = cells.map((text) => Number(/\((\d+) reviews?\)/.exec(text)?.[1] ?? 0));
    const sum = counts.reduce((all, count) => all + count, 0);
    const totals = await page.getByRole("link", { name: /^[\d,]+ reviews · / }).allInnerTexts();
    const total = totals.map((text) => Number.parseInt(text.replace(",", ""), 10));
    expect(sum).toBe(total.reduce((all, count) => all + count, 0));
    await press(chart.getByText("View as table"));
    await press(chart.getByRole("button", { name: "Stars" }));
    await page.getByRole("region", { name: "Average stars" }).waitFor();
    for (const width of [1440, 1024, 390]) {
      await page.setViewportSize({ width, height: 900 });
      await savePicture(page, `compare-${width}`);
    }
    expect(await checkPage(visitor, "compare-demo")).toEqual([]);
  });
});
