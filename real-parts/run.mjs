// Starpost beside real parts: generated clients, other products' packages and programs, without stand-ins. For a night, and
// before a release.
import fs from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { Command } from "commander";
import { parts as clients } from "./clients.mjs";
import { parts as copies } from "./copies.mjs";
import { parts as deliveries } from "./deliveries.mjs";
import { parts as mail } from "./mail.mjs";
import { parts as operation } from "./operation.mjs";
import { parts as packaging } from "./packaging.mjs";
import { parts as proxies } from "./proxies.mjs";
import { openService } from "./service.mjs";
import { parts as signIn } from "./sign-in.mjs";
import { root, Unavailable } from "./tools.mjs";

const parts = [
  ...clients,
  ...copies,
  ...deliveries,
  ...mail,
  ...signIn,
  ...operation,
  ...proxies,
  ...packaging,
];
const command = new Command("npm run real-parts --")
  .argument("[names...]", "words of the names of the parts to run (default: all)")
  .option("--write", "put the rows of the parts that ran into docs/compatibility.md")
  .addHelpText("after", `\nParts:\n${parts.map(({ name }) => `  ${name}`).join("\n")}`)
  .parse();
const names = command.args;
const chosen = parts.filter(
  ({ name }) =>
    names.length === 0 || names.some((one) => name.toLowerCase().includes(one.toLowerCase())),
);
if (chosen.length === 0) throw new Error(`no part is named ${names.join(", ")}`);

const folder = await fs.mkdtemp(path.join(os.tmpdir(), "starpost-real-parts-"));
const world = await openService(folder);
const results = new Map();
try {
  for (const part of chosen) {
    process.stdout.write(`${part.name} … `);
    const startMs = Date.now();
    const result = await judge(part);
    results.set(part.name, result);
    const seconds = Math.round((Date.now() - startMs) / 1_000);
    process.stdout.write(
      `${result.state} ${result.version} (${seconds} s)\n${result.reason ? `  ${result.reason}\n` : ""}`,
    );
  }
} finally {
  await world.close();
  await fs.rm(folder, { recursive: true, force: true });
}
if (command.opts().write) await writeTable();
const count = (state) => [...results.values()].filter((one) => one.state === state).length;
process.stdout.write(
  `\n${count("passed")} passed, ${count("failed")} failed, ${count("skipped")} skipped\n`,
);
process.exitCode = count("failed") > 0 ? 1 : 0;

/** A part returns the version that it tried, or with it what of it could not be had. */
async function judge(part) {
  try {
    const found = await part.run(world);
    const { version = "", missing = [] } = typeof found === "object" ? found : { version: found };
    const reason = missing.length === 0 ? "" : `without: ${missing.join("; ")}`;
    return { state: "passed", version: version.trim(), reason };
  } catch (error) {
    const state = error instanceof Unavailable ? "skipped" : "failed";
    return { state, version: "", reason: error.message };
  }
}

/**
 * Parts that did not run keep their rows. A part that passed has the day of the run. One that did not keeps the version of the
 * last time that it passed, and has the day since when.
 */
async function writeTable() {
  const file = path.join(root, "docs/compatibility.md");
  const text = await fs.readFile(file, "utf8");
  const marked = /(<!-- real parts -->\n)[\s\S]*?(<!-- end -->)/;
  const [written = ""] = marked.exec(text) ?? [];
  const before = new Map(readRows(written).map((row) => [row.name, row]));
  const rows = parts.map(({ name }) => {
    const known = before.get(name) ?? { name, version: "", result: "not run" };
    return formatRow(results.has(name) ? renewRow(known, results.get(name)) : known);
  });
  const table = ["| part | version | result |", "|---|---|---|", ...rows].join("\n");
  await fs.writeFile(
    file,
    text.replace(marked, (_, begin, end) => `${begin}${table}\n${end}`),
  );
}

function readRows(table) {
  const cells = table.matchAll(/^\| (.+?) \| (.+?) \| (.+) \|$/gm);
  return [...cells].map(([, name, version, result]) => {
    return { name, version: version === "–" ? "" : version, result };
  });
}

function renewRow(known, { version, state, reason }) {
  const today = new Date().toISOString().slice(0, 10);
  // What a failed part printed is in the log of the run.
  const isShown = reason !== "" && state !== "failed";
  const why = isShown ? `: ${reason.split("\n", 1)[0].replaceAll("|", "/").slice(0, 120)}` : "";
  if (state === "passed") return { ...known, version, result: `passed ${today}${why}` };
  const [, since = today] = new RegExp(`^${state} since ([\\d-]+)`).exec(known.result) ?? [];
  return { ...known, result: `${state} since ${since}${why}` };
}

function formatRow({ name, version, result }) {
  return `| ${name} | ${version || "–"} | ${result} |`;
}
