// One request in several languages. The tabs work without a script: all of them are labels of the same radio
// buttons, which stand once on the page, so that a choice counts for every example.
import fs from "node:fs";
import { escapeHtml, renderCode } from "./markdown.ts";

export type ExampleUrl = {
  /** Without a query; values in braces are read like those of `required`. */
  address: string;
  /** Names of parameters, whose values are read from the environment like the key: `app` from `APP_ID`. */
  required: readonly string[];
};

type Language = {
  id: string;
  label: string;
  /** How a value from the environment is written inside of the URL. */
  value(variable: string): string;
  /** The URL as a literal. */
  quote(url: string, hasValues: boolean): string;
};

const languages: readonly Language[] = [
  { id: "curl", label: "curl", value: (name) => `$${name}`, quote: (url) => `"${url}"` },
  {
    id: "node",
    label: "Node",
    value: (name) => `\${env.${name}}`,
    quote: (url, hasValues) => (hasValues ? `\`${url}\`` : `"${url}"`),
  },
  {
    id: "python",
    label: "Python",
    value: (name) => `{os.environ['${name}']}`,
    quote: (url, hasValues) => `${hasValues ? "f" : ""}"${url}"`,
  },
  {
    id: "go",
    label: "Go",
    value: (name) => `"+os.Getenv("${name}")+"`,
    // Nothing is added after the last value.
    quote: (url) => `"${url}"`.replace(/\+""$/, ""),
  },
];

const file = fs.readFileSync(new URL("code-examples.md", import.meta.url), "utf8");
const templates = new Map(
  [...file.matchAll(/^```(\w+)\n([\s\S]*?)\n```$/gm)].map(([, id, code]) => [id, code ?? ""]),
);

/** The radio buttons, to be placed once. The first is chosen. */
export function renderLanguageChoice(): string {
  const inputs = languages.map(
    ({ id, label }, index) =>
      `<input type="radio" name="language" id="in-${id}" aria-label="${label}"${index === 0 ? " checked" : ""}>`,
  );
  return `<fieldset class="languages"><legend>Language of the examples</legend>${inputs.join("")}</fieldset>`;
}

export function renderExamples(url: ExampleUrl): string {
  const labels = languages.map(
    ({ id, label }) => `<label for="in-${id}">${escapeHtml(label)}</label>`,
  );
  const examples = languages.map(
    (language) =>
      `<div class="example in-${language.id}">${renderCode(write(language, url))}</div>`,
  );
  return `<div class="tabs">${labels.join("")}</div>${examples.join("")}`;
}

/** Shows the examples of the chosen language, and its tab as chosen. */
export const languageStyles = languages
  .map(
    ({ id }) => `body:has(#in-${id}:checked) .in-${id} { display: block; }
body:has(#in-${id}:checked) label[for="in-${id}"] { color: var(--ink); border-color: var(--accent); }
body:has(#in-${id}:focus-visible) label[for="in-${id}"] { outline: 2px solid var(--accent); }`,
  )
  .join("\n");

function write({ id, value, quote }: Language, { address, required }: ExampleUrl): string {
  const fill = (name: string): string => value(`${name.toUpperCase()}_ID`);
  const filled = address.replace(/\{(\w+)\}/g, (_, name: string) => fill(name));
  const pairs = required.map((name) => `${name}=${fill(name)}`);
  const url = pairs.length === 0 ? filled : `${filled}?${pairs.join("&")}`;
  return (templates.get(id) ?? "").replace("{{url}}", () => quote(url, url !== address));
}
