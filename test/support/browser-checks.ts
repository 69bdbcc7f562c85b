// What holds for every page in light and dark, on a phone and on a desk: nobody is kept out, nothing
// runs over the edge, nothing jumps. Each look is kept as a picture in screenshots/.
import fs from "node:fs/promises";
import path from "node:path";
import type { AxeResults } from "axe-core";
import type { WatchedPage } from "./browser.ts";

const folder = path.resolve(import.meta.dirname, "../../screenshots");

const looks = [
  { theme: "light", width: 1280 },
  { theme: "dark", width: 1280 },
  { theme: "dark", width: 360 },
  { theme: "light", width: 360 },
] as const;

const shiftMax = 0.1;

/** Looks at the page as it stands, in every theme and width; returns what is wrong with it. */
export async function checkLooks(watched: WatchedPage, name: string): Promise<string[]> {
  const { page } = watched;
  const faults: string[] = [];
  const shift = await watched.readShift();
  if (shift > shiftMax) faults.push(`${name}: content moved by ${shift.toFixed(3)}`);
  await fs.mkdir(folder, { recursive: true });
  for (const { theme, width } of looks) {
    const look = `${name}-${theme}-${width}`;
    await page.emulateMedia({ colorScheme: theme });
    await page.setViewportSize({ width, height: width < 600 ? 740 : 900 });
    await settle(watched);
    await page.screenshot({ path: path.join(folder, `${look}.png`), fullPage: true });
    faults.push(...(await listViolations(watched)).map((fault) => `${look}: ${fault}`));
    const overhang = await page.evaluate<number>(overhangOf);
    if (overhang > 0) faults.push(`${look}: ${overhang} px stand over the edge`);
  }
  await page.setViewportSize({ width: 1280, height: 900 });
  return [...faults, ...watched.takeTroubles().map((trouble) => `${name}: ${trouble}`)];
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
