// The checks of the pages notice what they are there for.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { hasBrowser, openTestBrowser, type TestBrowser } from "../support/browser.ts";
import { checkLooks } from "../support/browser-checks.ts";

const badPage = `<!doctype html><html lang="en"><title>Bad</title><main><h1>Bad</h1>
  <p style="color: #ccc; background: #fff">Hardly seen</p>
  <div id="late"></div><p style="width: 1400px; height: 300px">Too wide, and pushed away</p>
  <img alt="" src="http://127.0.0.1:9/elsewhere.png">
  <script>
    // Content moves for somebody who has seen it: what was never painted can't.
    const push = () => { late.style.height = "600px"; throw new Error("broken"); };
    requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(push, 300)));
  </script>
</main>`;

describe.skipIf(!hasBrowser())("checks", () => {
  let browser: TestBrowser;

  beforeAll(async () => {
    browser = await openTestBrowser("http://127.0.0.1:1");
  });
  afterAll(() => browser?.close());

  test("a page that does everything wrong is told so", async () => {
    const visitor = await browser.newPerson();
    await visitor.page.setContent(badPage);
    await visitor.page.waitForFunction("window.shiftSum > 0.1");
    const faults = (await checkLooks(visitor, "bad")).join("\n");
    expect(faults).toMatch(/content moved by 0\.[1-9]/);
    expect(faults).toContain("bad-light-1280: color-contrast at p");
    expect(faults).toMatch(/bad-dark-360: \d+ px stand over the edge/);
    expect(faults).toContain("asked http://127.0.0.1:9/elsewhere.png");
    expect(faults).toContain("threw: broken");
  });
});
