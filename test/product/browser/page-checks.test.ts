// The checks of the pages find the problems they are made for.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { hasBrowser, openTestBrowser, type TestBrowser } from "../../support/browser.ts";
import { checkPage } from "../../support/browser-checks.ts";

const badPage = `<!doctype html><html lang="en"><title>Bad</title><main><h1>Bad</h1>
  <p style="color: #ccc; background: #fff">Hardly visible</p>
  <div id="late"></div><p style="width: 1400px; height: 300px">Too wide, and pushed away</p>
  <img alt="" src="http://127.0.0.1:9/elsewhere.png">
  <script>
    const push = () => {
      late.style.height = late.style.height ? "" : "600px";
      if (window.shiftSum > 0.1) throw new Error("broken");
      setTimeout(push, 100);
    };
  </script>
</main>`;

describe.skipIf(!hasBrowser())("checks", () => {
  let browser: TestBrowser;

  beforeAll(async () => {
    browser = await openTestBrowser("http://127.0.0.1:1");
  });
  afterAll(() => browser?.close());

  test("all problems of a bad page are reported", async () => {
    const visitor = await browser.newVisitor();
    await visitor.page.setContent(badPage);
    // A shift counts once the content was painted, and half a second after the window got its size: it is moved
    // until it counts.
    await visitor.page.evaluate("void requestAnimationFrame(push)");
    await visitor.page.waitForFunction("window.shiftSum > 0.1");
    const problems = (await checkPage(visitor, "bad")).join("\n");
    expect(problems).toMatch(/content moved by \d\.\d/);
    expect(problems).toContain("bad-light-1280: color-contrast at p");
    expect(problems).toMatch(/bad-dark-360: \d+ px wider than the window/);
    expect(problems).toContain("requested http://127.0.0.1:9/elsewhere.png");
    expect(problems).toContain("threw: broken");
  });
});
