// The Overview as a report for others: one page that says what it is about.
import fs from "node:fs/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { StoreState } from "../../../simulator/store-state.ts";
import { analysisVersion } from "../../../src/analysis/analyze.ts";
import { systemClock } from "../../../src/lib/clock.ts";
import { dayMs } from "../../../src/lib/timestamp.ts";
import { createWorkspace } from "../../support/acts.ts";
import { hasBrowser } from "../../support/browser.ts";
import { savePicture } from "../../support/browser-checks.ts";
import { type BrowserFixture, openBrowserFixture } from "../../support/browser-fixture.ts";
import { anApp, aReview, saveReviews } from "../../support/factories.ts";
import { listLayoutProblems } from "../../support/layout-checks.ts";

let world: BrowserFixture;

/** A picture of nothing has one. */
const countColours = (base64: string) => `(async () => {
  const image = new Image();
  image.src = "data:image/png;base64,${base64}";
  await image.decode();
  const canvas = document.createElement("canvas");
  canvas.width = image.width;
  canvas.height = image.height;
  const context = canvas.getContext("2d");
  context.drawImage(image, 0, 0);
  const { buffer } = context.getImageData(0, 0, image.width, image.height).data;
  return new Set(new Uint32Array(buffer)).size;
})()`;

describe.skipIf(!hasBrowser())("the report", () => {
  beforeAll(async () => {
    world = await openBrowserFixture(new StoreState(systemClock));
  });
  afterAll(() => world?.close());

  test("is one page of paper with its app, dates, workspace and bars", async () => {
    const { deps } = world.service;
    const { id: workspaceId } = await createWorkspace(deps, { name: "Reef", plan: "studio" });
    const app = await anApp(deps.database, { workspaceId, name: "Tidepool" });
    const now = systemClock.now().getTime();
    const topics = ["battery", "crash", "login", "ads", "price", "sync", "ui"];
    const reviews = Array.from({ length: 80 }, (_, index) =>
      aReview({
        analysisVersion,
        date: new Date(now - (index % 60) * dayMs),
        rating: (index % 5) + 1,
        sentiment: index % 5 < 2 ? "negative" : "positive",
        topics: [topics[index % topics.length] ?? "ui"],
      }),
    );
    await saveReviews(deps.database, app, reviews);
    const { page, takeErrors } = await world.signIn({ email: "lea@example.com", workspaceId });
    await page.addInitScript({ content: "window.print = () => { window.isPrinted = true; }" });
    await page.goto(`/w/${workspaceId}/overview?range=30d`);
    await page.getByText("Reviews per day").first().waitFor();
    await page.getByRole("button", { name: "Share" }).click();
    await page.getByRole("menuitem", { name: "Print, or save as PDF" }).click();
    await page.waitForFunction(() => Reflect.get(globalThis, "isPrinted") === true);
    await page.emulateMedia({ media: "print" });
    await page
      .getByText(/^Tidepool · App StoreReef · .* to .*, in UTC days · printed on/)
      .waitFor();
    expect(await listLayoutProblems(page)).toEqual([]);
    const paper = await page.pdf({ preferCSSPageSize: true });
    expect(paper.toString("latin1").match(/\/Type\s*\/Page\b/g)).toHaveLength(1);
    await page.emulateMedia({ media: "screen" });
    await page.evaluate("window.dispatchEvent(new Event('afterprint'))");
    await page.getByRole("button", { name: "Share" }).click();
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("menuitem", { name: "PNG: Topics" }).click(),
    ]);
    expect(download.suggestedFilename()).toBe("topics.png");
    const png = await fs.readFile(await download.path());
    const card = await page.getByRole("region", { name: "Topics" }).boundingBox();
    // Width and height stand behind the signature and the length and name of the first chunk.
    expect(png.readUInt32BE(16)).toBe(Math.floor(2 * ((card?.width ?? 0) + 32)));
    expect(await page.evaluate<number>(countColours(png.toString("base64")))).toBeGreaterThan(30);
    for (const [path, sign] of [
      ["/reviews?rating=1&topic=battery", /^Reef · 1 ★, Battery · /],
      [`/compare?${new URLSearchParams({ a: "rating=1", b: "rating=5" })}`, "A: 1 ★"],
    ] as const) {
      await page.goto(`/w/${workspaceId}${path}`);
      await page.locator("article:visible, table:visible").first().waitFor();
      await page.emulateMedia({ media: "print" });
      await page.getByText(sign).first().waitFor();
      const pressed = page.locator("main :is(input, button, select, search):visible");
      expect(await pressed.count()).toBe(0);
      await savePicture(page, `paper-${path.slice(1, 8)}`);
      expect(await listLayoutProblems(page)).toEqual([]);
      await page.emulateMedia({ media: "screen" });
    }
    expect(takeErrors()).toEqual([]);
  });
});
