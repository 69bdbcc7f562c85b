// The documentation says what the code does: settings, limits, links and scripts.
import fs from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { endpoints } from "../src/api/endpoints.ts";
import { pageSizeDefault, pageSizeMax } from "../src/api/parameters.ts";
import { listSettings } from "../src/config/config.ts";
import { deliveryDefaults } from "../src/delivery/queue/settings.ts";
import { userLimits } from "../src/domain/people/user-input.ts";
import { apiFilters } from "../src/domain/review/review-filter.ts";
import { textCharactersMax } from "../src/features/providers/translators/translator.ts";
import { failedKeyLimit, keyLimit } from "../src/http/rate-limit.ts";

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), "..");

test("every setting is documented with its default and its sentence", () => {
  const documented = tableRows("docs/configuration.md");
  const expected = listSettings().map(({ name, fallback }) => [
    `\`${name}\``,
    fallback === "" ? "–" : `\`${fallback}\``,
    expect.stringMatching(/^[A-Z0-9`].*[a-z].*\.$/),
  ]);
  expect(documented.map((row) => row.split(" | "))).toEqual(expected);
});

test.each([
  ["docs/webhooks.md", /channel has at most ([\d,]+) deliveries/, deliveryDefaults.perChannelMax],
  ["docs/webhooks.md", /host and port together have at most ([\d,]+)/, deliveryDefaults.perHostMax],
  ["docs/webhooks.md", /After ([\d,]+) timeouts in a row/, deliveryDefaults.probeAfter],
  ["docs/api.md", /At most ([\d,]+) requests/, keyLimit.perMinute],
  ["docs/api.md", /limited to ([\d,]+) a minute/, failedKeyLimit.perMinute],
  ["docs/api.md", /`limit` \| 1 to (\d+)/, pageSizeMax],
  ["docs/api.md", /`limit` \| 1 to \d+, ([\d,]+)/, pageSizeDefault],
  ["docs/dashboard.md", /Passwords have ([\d,]+) to/, userLimits.passwordMin],
  ["docs/dashboard.md", /Passwords have \d+ to ([\d,]+)/, userLimits.passwordMax],
  ["docs/translation.md", /more than ([\d,]+) characters/, textCharactersMax],
])("%s quotes the limit of the code: %s", (file, pattern, limit) => {
  expect(pattern.exec(read(file))?.[1]).toBe(limit.toLocaleString("en"));
});

test("api.md has every endpoint of the read API, and every filter of reviews", () => {
  const page = read("docs/api.md");
  const paths = endpoints.map(({ path }) => `\`GET ${path.replace(/\{.*/, "{")}`);
  const filters = Object.keys(apiFilters).map((name) => `\`${name}\``);
  expect([...paths, ...filters].filter((text) => !page.includes(text))).toEqual([]);
});

test("a default in brackets after a setting's name is the default", () => {
  const fallbacks = new Map(listSettings().map(({ name, fallback }) => [name, fallback]));
  const quoted = documents().flatMap((file) =>
    [...read(file).matchAll(/`([A-Z][A-Z_]+)` \(([\d,.]+)\)/g)].map(([, name = "", value]) => ({
      file,
      name,
      value: value?.replaceAll(",", ""),
    })),
  );
  expect(quoted.length).toBeGreaterThan(0);
  expect(quoted.filter(({ name, value }) => fallbacks.get(name) !== value)).toEqual([]);
});

const products =
  /\b(Airbyte|Apertium|Authelia|authentik|BigQuery|Bruno|Caddy|Claude|DeepL|Discord|Django|Entra ID|Excel|Express|FastAPI|fastlane|Fastify|Flask|GitHub|GitLab|Google|Grafana|HAProxy|Helm|Hono|Insomnia|Jira|Keycloak|Kubernetes|LibreTranslate|Linear|Mattermost|Metabase|n8n|Next\.js|nginx|Okta|PagerDuty|Patroni|PgBouncer|Pipedream|Postfix|PostgreSQL|Postman|Prometheus|Rocket\.Chat|Singer|Slack|Squid|Superset|Teams|Telegram|Traefik|Zapier|Zendesk|Zitadel|dbt|dlt)\b/g;

test("every product that the documents name is in compatibility.md, with what was tried", () => {
  const tried = new Set(read("docs/compatibility.md").match(products));
  const named = documents().flatMap((file) =>
    (read(file).match(products) ?? []).map((product) => `${product} (${file})`),
  );
  expect(named.length).toBeGreaterThan(100);
  const untried = named.filter((one) => !tried.has(one.replace(/ \(.*/, "")));
  expect([...new Set(untried)]).toEqual([]);
});

test("every link between the documents leads somewhere", () => {
  const broken = documents().flatMap((file) =>
    [...read(file).matchAll(/\]\((?!https?:|#)([^)#]+)/g)]
      .map((match) => path.join(path.dirname(file), match[1] ?? ""))
      .filter((target) => !fs.existsSync(path.join(root, target)))
      .map((target) => `${file} → ${target}`),
  );
  expect(broken).toEqual([]);
});

test("every path of the code that a document names exists", () => {
  const folders = "src|test|bin|bench|simulator|dashboard|docs|sdk|packaging|examples";
  const before = "(?<=`|vitest run (?:[^`\\n]* )?)";
  const named = new RegExp(`${before}((?:${folders})/[\\w./-]+)`, "g");
  // Made by the reader.
  const ofReaders = ["packaging/.env", "src/database/migrations/NNN-what-it-does.sql"];
  const missing = documents().flatMap((file) =>
    [...read(file).matchAll(named)]
      .map(([, name = ""]) => name)
      .filter((name) => !fs.existsSync(path.join(root, name)) && !ofReaders.includes(name))
      .map((name) => `${file}: ${name}`),
  );
  expect(missing).toEqual([]);
});

test("every path of the code that a script names exists", () => {
  const scripts = ["bin", "bench", "real-parts", ".github/workflows"].flatMap((folder) =>
    fs
      .readdirSync(path.join(root, folder), { recursive: true, encoding: "utf8" })
      .filter((file) => /\.(mjs|ts|ya?ml)$|(^|\/)ci$/.test(file))
      .map((file) => `${folder}/${file}`),
  );
  const missing = ["package.json", ...scripts].flatMap((file) => {
    const named = read(file).matchAll(
      /(?<=["' ])(?:src|test|simulator|dashboard|sdk)\/[\w./-]*\w/g,
    );
    return [...named].flatMap(([name]) =>
      fs.existsSync(path.join(root, name)) ? [] : [`${file}: ${name}`],
    );
  });
  expect(missing).toEqual([]);
});

test("every npm script that the README names exists", () => {
  const scripts = JSON.parse(read("package.json")).scripts;
  const named = [...read("README.md").matchAll(/`npm (?:run (?:-s )?)?([\w:]+)/g)].map(
    (match) => match[1],
  );
  expect(named.length).toBeGreaterThan(3);
  expect(named.filter((name) => scripts[name ?? ""] === undefined)).toEqual([]);
});

test("each reason of the README has a number, and a command that exists", () => {
  const [, section = ""] = /## Why Starpost\n([\s\S]*?)\n## /.exec(read("README.md")) ?? [];
  const reasons = section.split(/^- /m).slice(1);
  expect(reasons).toHaveLength(5);
  const scripts = JSON.parse(read("package.json")).scripts;
  for (const reason of reasons) {
    const [, script, file] =
      /`[^`]*?(?:npm run ([\w:-]+)|npx vitest run (\S+?))[` ]/.exec(reason) ?? [];
    const isThere = file ? fs.existsSync(path.join(root, file)) : script && script in scripts;
    expect([reason, isThere]).toEqual([reason, true]);
    expect(reason.replace(/`[^`]+`/g, "")).toMatch(/\d/);
  }
  const [, damages] = /\[(\d+) kinds of damaged\s+pages\]/.exec(section) ?? [];
  const [, table = ""] =
    /\n\| damage .*\n\|.*\n([\s\S]*?)\n\n/.exec(read("docs/adr/0015-pages-that-look-wrong.md")) ??
    [];
  expect(table.split("\n")).toHaveLength(Number(damages));
});

test("the README has at most 120 lines, and each picture of docs at most 300 kB", () => {
  expect(read("README.md").trimEnd().split("\n").length).toBeLessThanOrEqual(120);
  const sizes = fs
    .readdirSync(path.join(root, "docs/images"))
    .map((name) => fs.statSync(path.join(root, "docs/images", name)).size);
  expect(sizes.length).toBeGreaterThan(3);
  expect(Math.max(...sizes)).toBeLessThan(300_000);
});

test("no document or source names a package registry or a path of somebody's machine", () => {
  const suspicious = /registry\.npmjs|\/home\/\w+|\/Users\/\w+/;
  const lock = read("package-lock.json");
  expect(documents().filter((file) => suspicious.test(read(file)))).toEqual([]);
  expect(lock.includes('"resolved": "http')).toBe(false);
});

describe("SECURITY.md, docs/asvs.md and docs/development/findings.md", () => {
  const testFile = /`((?:src|test)\/[\w./-]+\.test\.ts|test\/product\/chaos\/)`/;
  const [trust = "", rest = ""] = read("SECURITY.md").split("## Threats, and");
  const tables = rest.split(/^## /m);
  const rowsOf = (text: string): string[] =>
    text
      .split("\n")
      .filter(
        (line) =>
          /^\| (?!---|\w+ \| from whom|must hold \||kind \|)/.test(line) &&
          !/^\|[-|: ]+$/.test(line),
      );

  test("name a test for each promise, each defence and each finding", () => {
    const promises = (trust.split(":\n\n")[1] ?? "").split(/^- /m).slice(1);
    const threats = rowsOf(tables[0] ?? "");
    const findings = rowsOf(read("docs/development/findings.md"));
    expect([promises.length, threats.length, findings.length].every((count) => count > 10)).toBe(
      true,
    );
    const all = [...promises, ...threats, ...findings];
    expect(all.filter((text) => !testFile.test(text))).toEqual([]);
  });

  test("name files that exist", () => {
    const text = ["SECURITY.md", "docs/asvs.md", "docs/development/findings.md"]
      .map(read)
      .join("\n");
    const named = [...text.matchAll(/`((?:src|test|bin|docs|sdk|packaging)\/[^`]+)`/g)];
    const paths = [...new Set(named.map(([, name = ""]) => name))];
    expect(paths.length).toBeGreaterThan(50);
    expect(paths.filter((name) => !fs.existsSync(path.join(root, name)))).toEqual([]);
  });

  test("give each result of ASVS its evidence, and a reason where it is not a pass", () => {
    const rows = rowsOf(read("docs/asvs.md")).map((line) =>
      line.split("|").map((cell) => cell.trim()),
    );
    const judged = rows.filter(([, , result = ""]) => result !== "result");
    expect(judged.length).toBeGreaterThan(30);
    const bad = judged.filter(([, , result = "", evidence = ""]) =>
      result === "pass"
        ? !/`(?:src|test)\/|review|SECURITY\.md/.test(evidence)
        : !/^(?:partial|fail)$/.test(result) || evidence.length < 20,
    );
    expect(bad).toEqual([]);
  });

  test("list every action of the audit log", () => {
    const files = fs
      .readdirSync(path.join(root, "src"), { recursive: true, encoding: "utf8" })
      .filter((name) => name.endsWith(".ts") && !name.endsWith(".test.ts"));
    const source = files.map((name) => read(path.join("src", name))).join("\n");
    const [, listed = ""] = /has these actions:\n\n([^#]*?)\n\n/.exec(rest) ?? [];
    const actions = [...listed.matchAll(/`([\w.]+)`/g)].map(([, name = ""]) => name);
    const recorded = source.matchAll(/(?:action|audit|recordedAs): "([a-z_]+\.[a-z_]+)"/g);
    const found = new Set([...recorded].map(([, name = ""]) => name));
    expect([...found].filter((name) => !actions.includes(name)).sort()).toEqual([]);
    expect(
      actions.filter(
        (name) => !source.includes(`"${name}"`) && !name.startsWith("email_recipient."),
      ),
    ).toEqual([]);
  });
});

function documents(): string[] {
  const inFolder = (folder: string): string[] =>
    fs
      .readdirSync(path.join(root, folder), { recursive: true, encoding: "utf8" })
      .filter((name) => name.endsWith(".md"))
      .map((name) => path.join(folder, name));
  const top = fs.readdirSync(root).filter((name) => name.endsWith(".md"));
  return [...top, ...inFolder("docs")];
}

function tableRows(file: string): string[] {
  return read(file)
    .split("\n")
    .filter((line) => line.startsWith("| `"))
    .map((line) => line.replace(/^\| | \|$/g, ""));
}

function read(file: string): string {
  return fs.readFileSync(path.join(root, file), "utf8");
}
