// One request in several languages. The tabs work without a script: all of them are labels of the same radio
// buttons, which stand once on the page, so that a choice counts for every example.
import { escapeHtml, renderCode } from "./markdown.ts";

export type ExampleUrl = {
  /** Without a query; values in braces are read like those of `required`. */
  address: string;
  /** Names of parameters, whose values are read from the environment like the key: `app` from `APP_ID`. */
  required: readonly string[];
};

const languages = [
  { id: "curl", label: "curl", write: writeCurl },
  { id: "node", label: "Node", write: writeNode },
  { id: "python", label: "Python", write: writePython },
  { id: "go", label: "Go", write: writeGo },
] as const;

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
    ({ id, write }) => `<div class="example in-${id}">${renderCode(write(url))}</div>`,
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

function variableOf(name: string): string {
  return `${name.toUpperCase()}_ID`;
}

/** The address with `?app=…`, each value in it written by `value`. */
function urlOf({ address, required }: ExampleUrl, value: (variable: string) => string): string {
  const filled = address.replace(/\{(\w+)\}/g, (_, name: string) => value(variableOf(name)));
  const pairs = required.map((name) => `${name}=${value(variableOf(name))}`);
  return pairs.length === 0 ? filled : `${filled}?${pairs.join("&")}`;
}

function writeCurl(url: ExampleUrl): string {
  const address = urlOf(url, (name) => `$${name}`);
  return `curl -H "Authorization: Bearer $API_KEY" \\\n  "${address}"`;
}

function writeNode(url: ExampleUrl): string {
  const address = urlOf(url, (name) => `\${env.${name}}`);
  const quote = address === url.address ? '"' : "`";
  return `import { env } from "node:process";

const url = ${quote}${address}${quote};
const response = await fetch(url, {
  headers: { Authorization: \`Bearer \${env.API_KEY}\` },
});
console.log(await response.json());`;
}

function writePython(url: ExampleUrl): string {
  const address = urlOf(url, (name) => `{os.environ['${name}']}`);
  const prefix = address === url.address ? "" : "f";
  return `import json, os, urllib.request

url = ${prefix}"${address}"
key = os.environ["API_KEY"]
request = urllib.request.Request(url, headers={"Authorization": f"Bearer {key}"})
with urllib.request.urlopen(request) as response:
    print(json.load(response))`;
}

function writeGo(url: ExampleUrl): string {
  // Nothing is added after the last value.
  const address = `"${urlOf(url, (name) => `"+os.Getenv("${name}")+"`)}"`.replace(/\+""$/, "");
  return `package main

import (
	"io"
	"log"
	"net/http"
	"os"
)

func main() {
	request, err := http.NewRequest("GET", ${address}, nil)
	if err != nil {
		log.Fatal(err)
	}
	request.Header.Set("Authorization", "Bearer "+os.Getenv("API_KEY"))
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		log.Fatal(err)
	}
	defer response.Body.Close()
	io.Copy(os.Stdout, response.Body)
}`;
}
