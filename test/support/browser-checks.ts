// What holds for every page in light and dark, on a phone and on a desk: nobody is kept out, nothing
// runs over the edge, nothing jumps. With SCREENSHOTS=1 each look is kept as a picture in screenshots/.
import fs from "node:fs/promises";
import path from "node:path";
import type { AxeResults } from "axe-core";
import type { Page } from "playwright-core";
import type { WatchedPage } from "./browser.ts";

const folder = path.resolve(import.meta.dirname, "../../screenshots");

const keepsPictures = process.env["SCREENSHOTS"] === "1";

// Colours depend on the theme and layout on the width: two looks meet all of them.
const looks = [
  { theme: "light", width: 1280, isPictureOnly: false },
  { theme: "dark", width: 1280, isPictureOnly: true },
  { theme: "dark", width: 360, isPictureOnly: false },
  { theme: "light", width: 360, isPictureOnly: true },
] as const;

const shiftMax = 0.1;

/** Looks at the page as it stands, in every theme and width; returns what is wrong with it. */
export async function checkLooks(watched: WatchedPage, name: string): Promise<string[]> {
  const { page } = watched;
  const faults: string[] = [];
  const shift = await watched.readShift();
  if (shift > shiftMax) faults.push(`${name}: content moved by ${shift.toFixed(3)}`);
  for (const { theme, width, isPictureOnly } of looks) {
    if (isPictureOnly && !keepsPictures) continue;
    const look = `${name}-${theme}-${width}`;
    await page.emulateMedia({ colorScheme: theme });
    await page.setViewportSize({ width, height: width < 600 ? 740 : 900 });
    await settle(watched);
    if (keepsPictures) await takePicture(page, look);
    faults.push(...(await listViolations(watched)).map((fault) => `${look}: ${fault}`));
    const overhang = await page.evaluate<number>(overhangOf);
    if (overhang > 0) faults.push(`${look}: ${overhang} px stand over the edge`);
  }
  await page.setViewportSize({ width: 1280, height: 900 });
  return [...faults, ...watched.takeTroubles().map((trouble) => `${name}: ${trouble}`)];
}

async function takePicture(page: Page, look: string): Promise<void> {
  await fs.mkdir(folder, { recursive: true });
  await page.screenshot({ path: path.join(folder, `${look}.png`), fullPage: true });
}

const overhangOf = "document.documentElement.scrollWidth - document.documentElement.clientWidth";

// Seen from the top. Two frames: the first lays out the new width, charts that follow it are drawn in
// the second.
async function settle({ page }: WatchedPage): Promise<void> {
  await page.evaluate(`new Promise((done) => {
    window.scrollTo(0, 0);
    requestAnimationFrame(() => requestAnimationFrame(() => done()));
  })`);
}

const grave = ["serious", "critical"];

async function listViolations({ page }: WatchedPage): Promise<string[]> {
  const { violations } = await page.evaluate<AxeResults>(
    "window.axe.run(document, { resultTypes: ['violations'] })",
  );
  return violations
    .filter(({ impact }) => grave.includes(impact ?? ""))
    .map(({ id, nodes }) => {
      const where = nodes.slice(0, 3).map(({ target, failureSummary }) => {
        const why = failureSummary?.split("\n").slice(1, 2).join("").trim() ?? "";
        return `${target.join(" ")} (${why})`;
      });
      return `${id} at ${where.join("; ")}`;
    });
}
