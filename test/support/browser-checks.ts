// Checks for every page in light and dark, narrow and wide: axe-core finds nothing serious, nothing
// overflows the window, nothing moves by itself. With SCREENSHOTS=1 screenshots are saved in screenshots/.
import fs from "node:fs/promises";
import { createRequire } from "node:module";
import path from "node:path";
import type { AxeResults } from "axe-core";
import type { Page } from "playwright-core";
import type { WatchedPage } from "./browser.ts";

const folder = path.resolve(import.meta.dirname, "../../screenshots");

/** Whether pictures were asked for. */
export const savesScreenshots = process.env["SCREENSHOTS"] === "1";

// Colours depend on the theme and the layout on the width: two variants cover all of them.
const variants = [
  { theme: "light", width: 1280, isScreenshotOnly: false },
  { theme: "dark", width: 1280, isScreenshotOnly: true },
  { theme: "dark", width: 360, isScreenshotOnly: false },
  { theme: "light", width: 360, isScreenshotOnly: true },
] as const;

// Rules whose answer depends on colours and sizes. The others read the markup: the first variant checks them.
const rulesOfVariants = ["color-contrast", "scrollable-region-focusable"];

const shiftMax = 0.1;

/** Checks the page as it is, in each variant; returns what is wrong with it. */
export async function checkPage(watched: WatchedPage, name: string): Promise<string[]> {
  const { page } = watched;
  const problems: string[] = [];
  const shift = await watched.readLayoutShift();
  if (shift > shiftMax) problems.push(`${name}: content moved by ${shift.toFixed(3)}`);
  for (const { theme, width, isScreenshotOnly } of variants) {
    if (isScreenshotOnly && !savesScreenshots) continue;
    const variant = `${name}-${theme}-${width}`;
    await page.emulateMedia({ colorScheme: theme });
    await page.setViewportSize({ width, height: width < 600 ? 740 : 900 });
    await settle(watched);
    await savePicture(page, variant);
    const rules = width === 1280 && theme === "light" ? null : rulesOfVariants;
    const violations = await listViolations(watched, rules);
    problems.push(...violations.map((violation) => `${variant}: ${violation}`));
    const overflow = await page.evaluate<number>(overflowScript);
    if (overflow > 0) problems.push(`${variant}: ${overflow} px wider than the window`);
  }
  await page.setViewportSize({ width: 1280, height: 900 });
  return [...problems, ...watched.takeErrors().map((error) => `${name}: ${error}`)];
}

/** Of the whole page, where pictures were asked for. */
export async function savePicture(page: Page, name: string): Promise<void> {
  if (!savesScreenshots) return;
  await fs.mkdir(folder, { recursive: true });
  await page.screenshot({ path: path.join(folder, `${name}.png`), fullPage: true });
}

// An open dialog counts as well as the page.
const overflowScript = `Math.max(...[document.documentElement, ...document.querySelectorAll("dialog[open]")]
  .map(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth))`;

// From the top of the page. Two frames: the first lays out the new width, the second draws the charts that
// depend on it.
export async function settle({ page }: WatchedPage): Promise<void> {
  await page.evaluate(`new Promise((done) => {
    window.scrollTo(0, 0);
    requestAnimationFrame(() => requestAnimationFrame(() => done()));
  })`);
}

const reportedImpacts = ["serious", "critical"];
const axePath = createRequire(import.meta.url).resolve("axe-core/axe.min.js");

async function listViolations(
  { page }: WatchedPage,
  rules: readonly string[] | null,
): Promise<string[]> {
  // Only where it is used: loading it takes longer than most pages do.
  if (!(await page.evaluate<boolean>("'axe' in window"))) {
    await page.evaluate(await fs.readFile(axePath, "utf8"));
  }
  const options = { resultTypes: ["violations"], ...(rules ? { runOnly: rules } : {}) };
  const { violations } = await page.evaluate<AxeResults>(
    `window.axe.run(document, ${JSON.stringify(options)})`,
  );
  return violations
    .filter(({ impact }) => reportedImpacts.includes(impact ?? ""))
    .map(({ id, nodes }) => {
      const elements = nodes.slice(0, 3).map(({ target, failureSummary }) => {
        const reason = failureSummary?.split("\n").slice(1, 2).join("").trim() ?? "";
        return `${target.join(" ")} (${reason})`;
      });
      return `${id} at ${elements.join("; ")}`;
    });
}
