// `npm run mutate`: changes one place of the code at a time, runs the tests that import it, and lists the changes that no
// test notices. A seeded sample, so that two commits can be compared.
import fs from "node:fs";
import path from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { Command } from "commander";
import { parseAst } from "vite";
import { createVitest } from "vitest/node";

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), "..");
const command = new Command("npm run mutate --")
  .argument("[folders...]", "folders whose code is changed", [
    "src/domain",
    "src/matching",
    "src/delivery/queue",
  ])
  .option("--count <number>", "changes to try", "120")
  .option("--seed <number>", "another seed draws other changes", "1")
  .option("--minutes <number>", "the longest time to spend", "15")
  .parse();
const [folders] = command.processedArgs;
const values = command.opts();
const endsAt = performance.now() + Number(values.minutes) * 60_000;

const replacements = {
  ...{ "<": "<=", "<=": "<", ">": ">=", ">=": ">", "===": "!==", "!==": "===" },
  ...{ "+": "-", "-": "+", "*": "/", "/": "*", "&&": "||", "||": "&&" },
};

const sources = listFiles("src").filter((file) => !file.endsWith(".test.ts"));
const tests = folders.flatMap(listFiles).filter((file) => file.endsWith(".test.ts"));
const importers = readImports([...sources, ...tests]);
const mutants = shuffle(
  sources
    .filter((file) => folders.some((folder) => file.startsWith(`${folder}/`)))
    .filter((file) => testsOf(file).length > 0)
    .flatMap(findMutants),
);

let current;
const vitest = await createVitest(
  "test",
  { watch: false, bail: 1, reporters: [{}], root, maxWorkers: 1 },
  {
    plugins: [
      {
        name: "mutant",
        enforce: "pre",
        transform: (code, id) =>
          current && id === path.join(root, current.file)
            ? code.slice(0, current.start) + current.text + code.slice(current.end)
            : null,
      },
    ],
  },
);

// Failing tests would notice everything.
if (!(await passes(tests))) throw new Error("the tests fail without a change");

const survivors = [];
let triedCount = 0;
for (const mutant of mutants.slice(0, Number(values.count))) {
  if (performance.now() > endsAt) break;
  if (!(await isNoticed(mutant))) survivors.push(mutant);
  triedCount += 1;
}
await vitest.close();
for (const { file, line, was, text } of survivors.sort((one, other) =>
  one.file < other.file ? -1 : 1,
))
  process.stdout.write(`${file}:${line}  ${was} → ${text}\n`);
const noticedCount = triedCount - survivors.length;
process.stdout.write(
  `\n${noticedCount} of ${triedCount} changes noticed (${Math.round((100 * noticedCount) / triedCount)} %), of ${mutants.length} possible ones\n`,
);
process.exit();

async function isNoticed(mutant) {
  const { file } = mutant;
  const change = (next) => {
    current = next;
    vitest.invalidateFile(path.join(root, file));
  };
  change(mutant);
  const isGood = await passes(testsOf(file));
  change(undefined);
  return !isGood;
}

async function passes(files) {
  const found = await vitest.globTestSpecifications(files.map((file) => path.join(root, file)));
  const { testModules, unhandledErrors } = await vitest.runTestSpecifications(found);
  return unhandledErrors.length === 0 && testModules.every((module) => module.ok());
}

/** Tests of the folders that reach the file by imports. */
function testsOf(file) {
  const reached = new Set([file]);
  for (const one of reached) for (const importer of importers.get(one) ?? []) reached.add(importer);
  return tests.filter((test) => reached.has(test));
}

function readImports(files) {
  const found = new Map();
  for (const file of files) {
    for (const [, target] of fs
      .readFileSync(path.join(root, file), "utf8")
      .matchAll(/from "(\.[^"]+)"/g)) {
      const imported = path.join(path.dirname(file), target);
      found.set(imported, [...(found.get(imported) ?? []), file]);
    }
  }
  return found;
}

function findMutants(file) {
  const code = fs.readFileSync(path.join(root, file), "utf8");
  const found = [];
  const add = (start, end, text) => {
    const line = code.slice(0, start).split("\n").length;
    found.push({ file, start, end, text, line, was: code.slice(start, end) });
  };
  visit(parseAst(code, { lang: "ts" }), (node) => {
    if (node.type === "BinaryExpression" || node.type === "LogicalExpression") {
      const text = replacements[node.operator];
      const start = code.indexOf(node.operator, node.left.end);
      if (text) add(start, start + node.operator.length, text);
    } else if (node.type === "UnaryExpression" && node.operator === "!") {
      add(node.start, node.start + 1, "");
    } else if (node.type === "Literal" && typeof node.value === "boolean") {
      add(node.start, node.end, String(!node.value));
    } else if (node.type === "Literal" && typeof node.value === "number") {
      add(node.start, node.end, String(node.value + 1));
    } else if (node.type === "IfStatement" || node.type === "ConditionalExpression") {
      add(node.test.start, node.test.end, `!(${code.slice(node.test.start, node.test.end)})`);
    }
  });
  return found;
}

/** Expressions and statements; types have nothing that runs. */
function visit(node, look) {
  if (Array.isArray(node)) for (const one of node) visit(one, look);
  if (typeof node?.type !== "string") return;
  const isType = node.type.startsWith("TS") && node.expression === undefined;
  if (isType) return;
  look(node);
  for (const value of Object.values(node)) if (typeof value === "object") visit(value, look);
}

function listFiles(folder) {
  return fs
    .readdirSync(path.join(root, folder), { recursive: true })
    .map((name) => path.join(folder, name))
    .filter((file) => file.endsWith(".ts"))
    .sort();
}

/** Fisher and Yates, by a linear congruential generator: the same order for the same seed. */
function shuffle(list) {
  let state = Number(values.seed);
  for (let at = list.length - 1; at > 0; at -= 1) {
    state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32;
    const other = Math.floor((state / 2 ** 32) * (at + 1));
    [list[at], list[other]] = [list[other], list[at]];
  }
  return list;
}
