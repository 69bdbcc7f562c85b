// Programs that copy reviews by the descriptions of docs/pull-recipes.md: a first run, and one after changes of each kind.
import fs from "node:fs/promises";
import { createServer } from "node:http";
import path from "node:path";
import { waitFor, withService } from "./service.mjs";
import { assert, openFolder, python, root } from "./tools.mjs";

/** The block of this language below this heading of the page. */
async function readExample(heading, language) {
  const page = await fs.readFile(path.join(root, "docs/pull-recipes.md"), "utf8");
  const [, section = ""] = page.split(`\n## ${heading}\n`);
  const [, code] = new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\``, "m").exec(section) ?? [];
  assert(code, `pull-recipes.md has no ${language} below ${heading}`);
  return code;
}

/** LibreTranslate, which writes the same before each text. */
async function openTranslator() {
  const server = createServer(async (request, response) => {
    const chunks = [];
    for await (const chunk of request) chunks.push(chunk);
    const languages = [{ code: "de", targets: ["en"] }];
    const isAsked = request.url.endsWith("/translate");
    const translate = () =>
      JSON.parse(Buffer.concat(chunks)).q.map((text) => `In English: ${text}`);
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify(isAsked ? { translatedText: translate() } : languages));
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  const close = () => new Promise((resolve) => server.close(resolve).closeAllConnections());
  return { url: `http://127.0.0.1:${server.address().port}`, close };
}

const german = "Die App stürzt nach jedem Update ab, und das ist sehr ärgerlich für uns alle.";

/**
 * Copies, changes reviews in every way, and copies again: each time the copy is what the API has.
 *
 * @param copy runs the program, and returns all rows of its copy
 */
async function checkCopy(copy) {
  const translator = await openTranslator();
  const settings = { TRANSLATE_PROVIDER: "libretranslate", TRANSLATE_URL: translator.url };
  try {
    await withService(settings, async (service) => {
      await importRows(service, [aRow("german", { text: german, country: "de" })]);
      compare(await copy(service), await listReviews(service), "the first run");
      await changeReviews(service);
      compare(await copy(service), await listReviews(service), "after changes");
    });
  } finally {
    await translator.close();
  }
}

/** A late review, an edit, a translation, and an erasure. */
async function changeReviews(service) {
  const { app, command } = service;
  const now = new Date().toISOString();
  const late = new Date(Date.now() - 9 * 24 * 3_600_000).toISOString();
  await importRows(service, [
    aRow("late", { date: late }),
    aRow("r0", { date: now, text: "Edited" }),
  ]);
  const [erased] = await listReviews(service);
  await command("review", "erase", erased.id, "--app", app.id, "--yes");
  await command("translate", "--app", app.id);
  await waitFor(async () =>
    (await listReviews(service)).some(({ translatedText }) => translatedText?.includes(german)),
  );
}

function aRow(id, more) {
  const date = new Date(Date.now() - 60_000).toISOString();
  const row = { id, rating: 2, date, title: "", text: "Late", author: "Plover", country: "us" };
  return { ...row, version: "4.2.1", ...more };
}

async function importRows({ app, command, env }, rows) {
  const file = path.join(env.DATA_DIR, "../more.jsonl");
  await fs.writeFile(file, rows.map((row) => JSON.stringify(row)).join("\n"));
  await command("import", "reviews", "--app", app.id, file);
}

/** Those that are there. */
async function listReviews({ url, key }) {
  const query = "include=removed&limit=100";
  const headers = { authorization: `Bearer ${key}` };
  const response = await fetch(`${url}/api/v1/reviews?${query}`, { headers });
  const { reviews, nextCursor } = await response.json();
  assert(nextCursor === null, "the reviews don't fit into a page");
  return reviews.filter(({ removed }) => removed === null);
}

function compare(copied, listed, when) {
  const line = ({ id, rating, text, translatedText }) =>
    [id, rating, text, translatedText ?? ""].join(" ");
  const [got, expected] = [copied, listed].map((rows) => new Set(rows.map(line)));
  const missing = [...expected].filter((one) => !got.has(one));
  const further = [...got].filter((one) => !expected.has(one));
  const isSame = missing.length === 0 && further.length === 0 && got.size === copied.length;
  assert(isSame, `${when}, the copy lacks ${missing} and has ${further}`);
}

const environment = ({ url, key }) => ({ ...process.env, STARPOST_URL: url, STARPOST_KEY: key });

/** Keeps the last record of each review, as a target by primary key does. */
function keepLast(kept, records) {
  for (const record of records) kept.set(record.id, record);
  return [...kept.values()].filter(({ removed }) => removed === null || removed === undefined);
}

const readJsonLines = (text) =>
  text.split("\n").flatMap((line) => (line.startsWith("{") ? [JSON.parse(line)] : []));

export const parts = [
  {
    name: "dlt: a copy after late, edited, translated and erased reviews",
    async run() {
      const tools = await python("dlt", ["dlt[duckdb]"]);
      const folder = await openFolder("dlt");
      const program = path.join(folder, "reviews.py");
      await fs.writeFile(program, await readExample("dlt", "python"));
      // A column is there once it has had a value.
      const query = `
import duckdb, json
found = duckdb.connect("starpost.duckdb").execute("select * from app_reviews.reviews")
names = [column[0].replace("translated_text", "translatedText") for column in found.description]
print(json.dumps([dict(zip(names, row)) for row in found.fetchall()], default=str))
`;
      await checkCopy(async (service) => {
        const env = {
          ...environment(service),
          DLT_DATA_DIR: folder,
          RUNTIME__DLTHUB_TELEMETRY: "false",
        };
        await tools.run("python", [program], { cwd: folder, env });
        return JSON.parse(await tools.run("python", ["-c", query], { cwd: folder }));
      });
      return tools.version("dlt");
    },
  },
  {
    name: "Singer, tap-rest-api-msdk: the same copy",
    async run() {
      const tools = await python("singer", ["tap-rest-api-msdk"]);
      const folder = await openFolder("singer");
      const example = JSON.parse(await readExample("Singer", "json"));
      const [config, state] = ["config.json", "state.json"].map((name) => path.join(folder, name));
      const kept = new Map();
      await checkCopy(async ({ url, key }) => {
        const own = { ...example, api_url: `${url}/api/v1`, bearer_token: key };
        await fs.writeFile(config, JSON.stringify(own));
        const from = kept.size === 0 ? [] : ["--state", state];
        const output = await tools.run("tap-rest-api-msdk", ["--config", config, ...from]);
        const messages = readJsonLines(output);
        const last = messages.findLast(({ type }) => type === "STATE");
        await fs.writeFile(state, JSON.stringify(last.value));
        const records = messages.filter(({ type }) => type === "RECORD");
        return keepLast(
          kept,
          records.map(({ record }) => record),
        );
      });
      return tools.version("tap-rest-api-msdk");
    },
  },
  {
    name: "Airbyte, a declarative manifest: the same copy",
    async run() {
      const tools = await python("airbyte", ["airbyte-cdk"]);
      const folder = await openFolder("airbyte");
      const manifest = await readExample("Airbyte", "yaml");
      const write = (name, value) =>
        fs.writeFile(
          path.join(folder, name),
          typeof value === "string" ? value : JSON.stringify(value),
        );
      await write("manifest.yaml", manifest);
      const toJson = "import json, yaml; print(json.dumps(yaml.safe_load(open('manifest.yaml'))))";
      const injected = JSON.parse(await tools.run("python", ["-c", toJson], { cwd: folder }));
      const stream = {
        ...{
          name: "reviews",
          json_schema: {},
          supported_sync_modes: ["full_refresh", "incremental"],
        },
        ...{ source_defined_cursor: true, default_cursor_field: ["changedAt"] },
      };
      const configured = {
        stream,
        sync_mode: "incremental",
        destination_sync_mode: "append_dedup",
      };
      await write("catalog.json", { streams: [configured] });
      await write("state.json", "[]");
      const kept = new Map();
      await checkCopy(async ({ url, key }) => {
        await write("config.json", { url, key, __injected_declarative_manifest: injected });
        const files = ["config", "catalog", "state"].flatMap((name) => [
          `--${name}`,
          `${name}.json`,
        ]);
        const output = await tools.run("source-declarative-manifest", ["read", ...files], {
          cwd: folder,
        });
        const messages = readJsonLines(output);
        const last = messages.findLast(({ type }) => type === "STATE");
        await write("state.json", [last.state]);
        const records = messages.filter(({ type }) => type === "RECORD");
        return keepLast(
          kept,
          records.map(({ record }) => record.data),
        );
      });
      return tools.version("airbyte-cdk");
    },
  },
];
