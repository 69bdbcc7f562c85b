// The Overview as a report for others: one page that says what it is about.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { StoreState } from "../../simulator/store-state.ts";
import { analysisVersion } from "../../src/analysis/analyze.ts";
import { systemClock } from "../../src/lib/clock.ts";
import { dayMs } from "../../src/lib/timestamp.ts";
import { createWorkspace } from "../../src/use-cases/members/workspaces.ts";
import { hasBrowser } from "../support/browser.ts";
import { type BrowserFixture, openBrowserFixture } from "../support/browser-fixture.ts";
import { anApp, aReview, saveReviews } from "../support/factories.ts";
import { listLayoutProblems } from "../support/layout-checks.ts";

let world: BrowserFixture;

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
    await page.getByText("Reviews per week").first().waitFor();
    await page.getByRole("button", { name: "Report" }).click();
    await page.getByRole("menuitem", { name: "Print, or save as PDF" }).click();
    await page.waitForFunction("window.isPrinted");
    await page.emulateMedia({ media: "print" });
    await page
      .getByText(/^Tidepool · App StoreReef · .* to .*, in UTC days · printed on/)
      .waitFor();
    expect(await listLayoutProblems(page)).toEqual([]);
    const paper = await page.pdf({ preferCSSPageSize: true });
    expect(paper.toString("latin1").match(/\/Type\s*\/Page\b/g)).toHaveLength(1);
    expect(takeErrors()).toEqual([]);
  });
});
