// The file that `starpost report` writes, opened without a network, on a screen, a phone and paper.
import fs from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { hasBrowser, openTestBrowser, type TestBrowser } from "../../support/browser.ts";
import { checkPage, savePicture } from "../../support/browser-checks.ts";
import { ensureBuilt, runStarpost } from "../../support/built-cli.ts";
import { press } from "../../support/hands.ts";

let folder: string;
let browser: TestBrowser;
let url: string;

describe.skipIf(!hasBrowser())("the file of a report", () => {
  beforeAll(async () => {
    ensureBuilt();
    folder = await fs.mkdtemp(path.join(os.tmpdir(), "starpost-report-file-"));
    const env = { XDG_CACHE_HOME: path.join(folder, "cache") };
    const { code, stderr } = await runStarpost(["report", "--demo", "--compare"], {
      cwd: folder,
      env,
    });
    if (code !== 0) throw new Error(stderr);
    url = pathToFileURL(path.join(folder, "report.html")).href;
    browser = await openTestBrowser(url);
  });
  afterAll(async () => {
    await browser?.close();
    if (folder) await fs.rm(folder, { recursive: true, force: true });
  });

  test.each([
    [1440, "light"],
    [390, "light"],
    [1440, "dark"],
  ] as const)(
    "at %i px, %s: nothing from outside, nothing beside the window, axe clean",
    async (width, colorScheme) => {
      const watched = await browser.newVisitor({ width, height: 900 });
      const { page, context } = watched;
      await context.setOffline(true);
      const requests: string[] = [];
      page.on("request", (request) => requests.push(request.url().slice(0, 200)));
      await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
      await page.goto(url);
      await page.getByRole("heading", { level: 1 }).first().waitFor();
      expect(requests.filter((one) => !one.startsWith("data:"))).toEqual([url]);
      expect(await page.evaluate("document.documentElement.scrollWidth <= innerWidth")).toBe(true);
      await savePicture(page, `report-file-${width}-${colorScheme}`);
      expect(await checkPage(watched, `report-file-${width}-${colorScheme}`)).toEqual([]);
      await context.close();
    },
  );

  test("on a phone the parts are folded, its contents open them, and paper has them all", async () => {
    const { page, context } = await browser.newVisitor({ width: 390, height: 844, isTouch: true });
    await page.goto(url);
    await page.getByRole("heading", { level: 1 }).first().waitFor();
    const height = await page.evaluate<number>("document.documentElement.scrollHeight");
    expect(height).toBeLessThan(6_000);
    const contents = page.getByRole("navigation", { name: "Contents" });
    const links = await contents.getByRole("link").all();
    expect(links.length).toBeGreaterThan(3);
    for (const link of links) {
      const target = (await link.getAttribute("href")) ?? "";
      const part = page.locator(`details[id="${target.slice(1)}"]`);
      expect(await part.getAttribute("open")).toBeNull();
      await press(link);
      expect(await part.getAttribute("open")).toBe("");
      expect((await part.boundingBox())?.y).toBeLessThan(844);
      await press(part.locator("summary").first());
      expect(await part.getAttribute("open")).toBeNull();
    }
    await page.pdf({ format: "A4" });
    expect(await page.locator("main > details:not([open])").count()).toBe(0);
    await savePicture(page, "report-file-open-390");
    await context.close();
  });

  test("is printed on at most four pages of A4", async () => {
    const { page, context } = await browser.newVisitor();
    await page.goto(url);
    await page.getByRole("heading", { level: 1 }).first().waitFor();
    const pdf = await page.pdf({ format: "A4" });
    const pageCount = pdf.toString("latin1").match(/\/Type \/Page\b/g)?.length ?? 0;
    expect(pageCount).toBeGreaterThan(0);
    expect(pageCount).toBeLessThanOrEqual(4);
    await context.close();
  });
});
