// Prints how the engine does beside the npm packages, as Markdown. Run by `npm run evaluate`.
import process from "node:process";
import { languageTable, lengthTable } from "./judge-language.ts";
import { humanTable, starTable } from "./judge-sentiment.ts";

/** What there is to print, by the word that asks for it. */
const parts: Readonly<Record<string, () => string>> = {
  length: lengthTable,
  language: languageTable,
  stars: starTable,
  people: humanTable,
};

const wanted = process.argv.slice(2);
for (const [name, print] of Object.entries(parts)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  process.stdout.write(`\n## ${name}\n\n${print()}\n`);
}
