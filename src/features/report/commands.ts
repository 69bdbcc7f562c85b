// starpost report: what people say about an app, in one file, without an installation.

import { spawn } from "node:child_process";
import fs from "node:fs/promises";
import path from "node:path";
import { buffer } from "node:stream/consumers";
import { type Command, command, type Outcome, type Shell } from "../../cli/command.ts";
import { pathOf, readNamedFile } from "../../cli/named-file.ts";
import { flag, list, number, optional, requireWhole, rest } from "../../cli/option.ts";
import { cacheFolder } from "../../config/config.ts";
import { languagesSchema } from "../../domain/languages.ts";
import { storefrontsSchema } from "../../domain/store/storefronts.ts";
import { failField, parseField } from "../../domain/validation-errors.ts";
import { messageOf } from "../../lib/errors.ts";
import { escapeHtml } from "../../lib/escape-html.ts";
import { silentLog } from "../../lib/log.ts";
import { requireAppLinks } from "./app-words.ts";
import type { Report } from "./contract.ts";
import { toMarkdown } from "./write-markdown.ts";

const daysDefault = 90;
const daysMax = 3_650;
/** A report of a larger file needs a service. */
const fileBytesMax = 200_000_000;
const formats = ["html", "markdown"] as const;
type Format = (typeof formats)[number];

export const commands: Command[] = [
  command({
    name: "report",
    args: {
      links: rest(
        "[links...]",
        "Links to apps in the stores, their ids or names; or a file, or -.",
      ),
    },
    options: {
      countries: list("--countries <codes>", "Storefronts with commas, or all."),
      languages: list("--languages <codes>", "Languages with commas (Google Play), or all."),
      days: number("--days <count>", `The newest days; ${daysDefault} unless given.`),
      out: optional(
        "--out <file>",
        "A file or folder; report.html here unless given, - for stdout.",
      ),
      overwrite: flag("--overwrite", "Replace a file that exists."),
      format: { ...optional("--format <format>", "html or markdown."), values: formats },
      compare: flag("--compare", "Two apps side by side; of one app, the days and those before."),
      open: flag("--open", "Open it in the browser."),
      fresh: flag("--fresh", "Read everything again, without what earlier reports have read."),
      demo: flag("--demo", "A sample app in simulated stores, for a look without a network."),
    },
    async runAlone(shell, values) {
      const { days = daysDefault, format = "html" } = values;
      if (format !== "html" && format !== "markdown")
        failField("format", `must be one of ${formats.join(", ")}`);
      if (values.demo === values.links.length > 0)
        failField("links", "need a link, an id, a name or a file; or use --demo");
      const choice = {
        countries: parseCodes("countries", { codes: values.countries, schema: storefrontsSchema }),
        languages: parseCodes("languages", { codes: values.languages, schema: languagesSchema }),
        days: requireWhole("days", { value: days, min: 1, max: daysMax }),
      };
      const target = await openTarget(shell, { ...values, format });
      const file = await readFileOf(shell, values.links);
      if (!file) requireAppLinks(values.links);
      const stopping = new AbortController();
      void shell.untilStopped().then(() => {
        shell.note("stopping: the report is written of what is there; Ctrl-C again ends at once");
        stopping.abort();
      });
      const { makeReport } = await import("./make-report.ts");
      const report = await makeReport({
        ...{ ...choice, config: await shell.loadConfig(), log: silentLog },
        ...{ file, words: values.links, cacheFolder: cacheFolder(), signal: stopping.signal },
        ...{ isFresh: values.fresh, isDemo: values.demo, comparison: values.compare },
        note: shell.note,
        onProgress: shell.showProgress,
      });
      const text = format === "html" ? await toHtml(report) : toMarkdown(report);
      const written = await target.write(text);
      if (values.open && written !== null) openFile(shell, written);
      for (const note of report.notes) shell.note(note);
      const exitCode = stopping.signal.aborted ? 3 : 0;
      if (shell.isJson) {
        const { answers: _, ...value } = report;
        return { value: { ...value, file: written }, exitCode };
      }
      return written === null ? null : { ...describe(report, written), exitCode };
    },
  }),
];

function describe({ apps, overview, feeds }: Report, file: string): Outcome {
  const { reviews, range } = overview.overview;
  const gaps = feeds.filter(({ outcome }) => outcome === "unknown").length;
  const value = {
    apps: apps.map(({ name, store }) => `${name} (${store})`).join(", "),
    file,
    reviews: reviews.total,
    stars: reviews.averageRating?.toFixed(2) ?? null,
    days: `${range.from} to ${range.to}`,
    notRead: gaps > 0 ? `${gaps} of ${feeds.length} lists; the report says why` : null,
  };
  return { value };
}

function parseCodes(
  field: string,
  { codes, schema }: { codes: string[] | undefined; schema: typeof storefrontsSchema },
): string[] | null {
  return codes === undefined ? null : parseField(schema, { field, value: codes });
}

/** null unless the one word is a file, or - for standard input. */
async function readFileOf(shell: Shell, words: readonly string[]) {
  const [word = ""] = words;
  const isNamed = word === "-" || /\.(csv|jsonl?|tsv|txt)$/i.test(word);
  if (!isNamed) return null;
  if (words.length > 1) failField("links", "can be one file, without anything else");
  if (word === "-") return { name: "standard input", bytes: await buffer(shell.stdin) };
  const bytes = await readNamedFile(word, { field: "links", bytesMax: fileBytesMax });
  return { name: path.basename(word), bytes };
}

/** Checked before anything is read, which takes minutes. An earlier file is kept unless the user chose to replace it. */
async function openTarget(
  shell: Shell,
  { out, format, overwrite }: { out?: string | undefined; format: Format; overwrite: boolean },
): Promise<{ write(text: string): Promise<string | null> }> {
  const isQuiet = out === undefined && shell.isJson;
  const isStdout = out === "-" || (out === undefined && format === "markdown");
  if (isQuiet) return { write: async () => null };
  if (isStdout) {
    if (shell.isJson) failField("out", "can't be stdout together with --json");
    return { write: async (text) => shell.write(text).then(() => null) };
  }
  const chosen = pathOf(out ?? ".");
  const isFolder = await isExistingFolder(chosen);
  const name = format === "html" ? "report.html" : "report.md";
  const file = isFolder ? await freeName(path.join(chosen, name), overwrite) : chosen;
  try {
    await fs.access(path.dirname(file), fs.constants.W_OK);
  } catch (error) {
    failField("out", `${file} can't be written: ${messageOf(error)}`);
  }
  if (!overwrite && (await exists(file)))
    failField("out", `${file} exists: add --overwrite, or choose another name`);
  const flag = overwrite ? "w" : "wx";
  return { write: async (text) => fs.writeFile(file, text, { flag }).then(() => file) };
}

async function exists(file: string): Promise<boolean> {
  return fs.access(file).then(
    () => true,
    () => false,
  );
}

async function isExistingFolder(file: string): Promise<boolean> {
  return fs.stat(file).then(
    (found) => found.isDirectory(),
    () => false,
  );
}

/** report.html, report-2.html and so on: the first that doesn't exist. */
async function freeName(file: string, overwrite: boolean): Promise<string> {
  const { dir, name, ext } = path.parse(file);
  for (let number = 1; ; number += 1) {
    const one = path.join(dir, number === 1 ? `${name}${ext}` : `${name}-${number}${ext}`);
    if (overwrite || !(await exists(one))) return one;
  }
}

function openFile(shell: Shell, file: string): void {
  const opener = process.platform === "darwin" ? "open" : "xdg-open";
  const child = spawn(opener, [file], { detached: true, stdio: "ignore" });
  child.once("error", () => shell.note(`${opener} could not open ${file}: open it by hand`));
  child.unref();
}

const template = new URL(
  import.meta.url.endsWith(".ts")
    ? "../../../dist/report/report.html"
    : "../../../report/report.html",
  import.meta.url,
);

/** @throws where the template is missing: the build makes it */
async function toHtml(report: Report): Promise<string> {
  const page = await fs.readFile(template, "utf8");
  // Reviews are other people's words: none may end the element that holds them.
  const data = JSON.stringify(report).replaceAll("<", "\\u003c");
  return page
    .replace(
      "<title>Starpost</title>",
      () => `<title>${escapeHtml(report.title)} · Starpost</title>`,
    )
    .replace("{}</script>", () => `${data}</script>`);
}
