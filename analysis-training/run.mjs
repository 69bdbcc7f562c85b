// Compiles the training programs into a temporary folder and runs one of them there. Plain JavaScript, because it runs before
// anything is compiled.
import { spawnSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import process from "node:process";
import { Argument, Command } from "commander";

const tasks = ["train", "spelling", "evaluate", "model-card", "import-gold"];
const [task, ...options] = new Command("node analysis-training/run.mjs")
  .addArgument(new Argument("<task>", "`train` ends with the model card").choices(tasks))
  .argument(
    "[names...]",
    "parts to train, tables to print, or the folder of word frequencies or labelled reviews",
  )
  .parse().args;

const checkout = path.resolve(import.meta.dirname, "..");
const goldFolder = path.join(checkout, "analysis-training/gold");
const modelFolder = path.join(checkout, "src/analysis/models");
const program = fs.mkdtempSync(path.join(os.tmpdir(), "starpost-training-"));
process.on("exit", () => fs.rmSync(program, { recursive: true, force: true }));

compile();
copyWords();
fs.mkdirSync(modelFolder, { recursive: true });
if (task === "spelling") run("spelling", modelFolder, ...options);
// Training corrects misspelt words as the analysis does.
copyModel();
if (task === "train") {
  run("train", modelFolder, ...options);
  copyModel();
  run("zero-points", modelFolder);
  copyModel();
  run("decision", modelFolder);
  run("record-training", modelFolder);
  copyModel();
}
if (task === "evaluate") run("evaluate", ...options);
else if (task === "import-gold") run("import-gold", goldFolder, ...options);
else run("model-card", path.join(modelFolder, "MODEL_CARD.md"), modelFolder);

function compile() {
  fs.symlinkSync(path.join(checkout, "node_modules"), path.join(program, "node_modules"));
  fs.writeFileSync(path.join(program, "package.json"), '{ "type": "module" }');
  const settings = {
    extends: path.join(checkout, "tsconfig.build.json"),
    compilerOptions: {
      rootDir: checkout,
      outDir: path.join(program, "dist"),
      // bin/ci checks types.
      noCheck: true,
      typeRoots: [path.join(checkout, "node_modules/@types")],
    },
    include: [path.join(checkout, "analysis-training")],
  };
  const config = path.join(program, "tsconfig.json");
  fs.writeFileSync(config, JSON.stringify(settings));
  const compiler = path.join(checkout, "node_modules/typescript/bin/tsc");
  start([compiler, "-p", config]);
}

function copyWords() {
  const words = "src/analysis/words";
  fs.cpSync(path.join(checkout, words), path.join(program, "dist", words), { recursive: true });
}

function copyModel() {
  fs.cpSync(modelFolder, path.join(program, "dist/src/analysis/models"), { recursive: true });
}

function run(name, ...args) {
  start([path.join(program, "dist/analysis-training", `${name}.js`), ...args]);
}

function start(args) {
  const reviews = process.env.REVIEWS_DATA ?? path.join(checkout, "../shared/reviews");
  const env = { ...process.env, REVIEWS_DATA: path.resolve(reviews), GOLD_FOLDER: goldFolder };
  const result = spawnSync(process.execPath, args, { stdio: "inherit", env });
  if (result.status !== 0) process.exit(result.status ?? 1);
}
