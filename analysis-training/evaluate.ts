// Prints the figures of the built-in analysis beside those of npm packages, as Markdown tables. Run by
// `npm run evaluate`, which may name the tables to print.
import process from "node:process";
import { agreementTables, decidingTables, developmentTables, precisionTable } from "./eval-gold.ts";
import { kindTable } from "./eval-kinds.ts";
import { languageTable, lengthTable, unknownLanguageTable } from "./eval-language.ts";
import { negationTable } from "./eval-negation.ts";
import { humanLabelTable, mixedTable, starTable } from "./eval-sentiment.ts";
import { topicTable, topicTableApart, withoutTopicTable } from "./eval-topics.ts";

/** By the name that selects it on the command line. */
const tables: Readonly<Record<string, () => string>> = {
  length: lengthTable,
  language: languageTable,
  unknown: unknownLanguageTable,
  stars: starTable,
  people: humanLabelTable,
  mixed: mixedTable,
  topics: topicTable,
  apart: topicTableApart,
  complaints: withoutTopicTable,
  gold: developmentTables,
  deciding: decidingTables,
  precision: precisionTable,
  agreement: () => Object.values(agreementTables()).join("\n\n"),
  negation: negationTable,
  kinds: kindTable,
};

const selected = process.argv.slice(2);
for (const [name, format] of Object.entries(tables)) {
  if (selected.length > 0 && !selected.includes(name)) continue;
  process.stdout.write(`\n## ${name}\n\n${format()}\n`);
}
