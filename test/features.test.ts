// Features are folders: none imports another, the core imports none, and ARCHITECTURE.md has the price of each.
import fs from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { featureLists } from "./support/feature-lists.ts";
import { listSourceFiles, root } from "./support/source-tree.ts";

const production = listSourceFiles(["src"]).filter(({ isTest }) => !isTest);

function featureOf(file: string): string | null {
  return /^src\/features\/([\w-]+)\//.exec(file)?.[1] ?? null;
}

test("no feature imports another, and the core imports none of them", () => {
  const broken = production
    .filter(({ path: file }) => !featureLists.includes(file))
    .flatMap(({ path: file, imports }) => {
      const others = imports
        .map(featureOf)
        .filter((one) => one !== null && one !== featureOf(file));
      return others.map((other) => `${file} → ${other}`);
    });
  expect(broken).toEqual([]);
});

test("features know the doors by the rows that they hand in", () => {
  const rows = /\/(feature|routes|public-part|contract|endpoint|note-list|mcp-handler)\.ts$/;
  const reaching = production.flatMap(({ path: file, imports }) =>
    file.startsWith("src/features/") && !rows.test(file)
      ? imports
          .filter((one) => /^src\/(api|dashboard-api)\//.test(one))
          .map((one) => `${file} → ${one}`)
      : [],
  );
  expect(reaching).toEqual([]);
});

/** Lines in steps, so that a small change leaves the table as it is. */
function describeLines(count: number, step: number): string {
  return (Math.round(count / step) * step).toLocaleString("en");
}

function countLines(files: readonly { lineCount: number }[]): number {
  return files.reduce((sum, { lineCount }) => sum + lineCount, 0);
}

/** Modules of the core that take in and hand out, and those that start it; the others are the path of a review. */
const doorModules = /^src\/(api|app|cli|config|dashboard-api|http|read)\/|^src\/[^/]+$/;
const titles: Readonly<Record<string, string>> = {
  core: "core",
  path: "of it the path of a review",
  doors: "of it doors, settings and start",
};

/** The price of each feature, and of the core. */
function formatPrices(): string {
  const all = listSourceFiles(["src"]);
  const pages = listSourceFiles(["dashboard/src"]);
  const featureNames = [...new Set(all.flatMap(({ path: file }) => featureOf(file) ?? []))].sort();
  const row = (name: string, chosen: typeof all, step: number): string => {
    const production = chosen.filter(({ isTest }) => !isTest);
    const statements = production.flatMap(({ path: file, text }) =>
      /database\/|\/sql\.ts$/.test(file) ? [...text.matchAll(/db,\s*"[\w.]+"/g)] : [],
    );
    const importing = pages.filter(({ imports }) =>
      imports.some((target) => target.includes(`features/${name}/`)),
    );
    const ofCore = name === "core" || name === "doors" ? pages.filter(({ isTest }) => !isTest) : [];
    const ofPages = featureNames.includes(name) ? importing : ofCore;
    const lines = [
      describeLines(countLines(production), step),
      describeLines(countLines(chosen.filter(({ isTest }) => isTest)), step),
      describeLines(statements.length, 5),
      describeLines(countLines(ofPages), step),
    ];
    return `| ${[titles[name] ?? `\`${name}\``, ...lines].join(" | ")} |`;
  };
  const core = all.filter(({ path: file }) => featureOf(file) === null);
  const isDoor = ({ path: file }: { path: string }) => doorModules.test(file);
  return [
    "| part | lines | lines of tests beside them | statements | lines of pages |",
    "|---|--:|--:|--:|--:|",
    row("core", core, 1_000),
    row(
      "path",
      core.filter((file) => !isDoor(file)),
      1_000,
    ),
    row("doors", core.filter(isDoor), 1_000),
    ...featureNames.map((name) =>
      row(
        name,
        all.filter(({ path: file }) => featureOf(file) === name),
        50,
      ),
    ),
  ].join("\n");
}

test("ARCHITECTURE.md has the price of each feature (npm run generate)", () => {
  const file = path.join(root, "ARCHITECTURE.md");
  const text = fs.readFileSync(file, "utf8");
  const [before = "", , after = ""] = text.split(/^(\| part \|(?:.+\n)+)/m);
  const written = `${before}${formatPrices()}\n${after}`;
  if (process.env["UPDATE_DOCS"] === "1") fs.writeFileSync(file, written);
  expect(fs.readFileSync(file, "utf8")).toBe(written);
});
