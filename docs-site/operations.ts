// One endpoint or one event on the reference page: the request, the response, and every field of it.

import type { Content, Description, Operation } from "../src/api/description.ts";
import { renderExamples } from "./code-examples.ts";
import { renderFields, renderParameters, renderStatuses } from "./fields.ts";
import { anchorOf, escapeHtml, renderCode, renderInline } from "./markdown.ts";
import requestBodies from "./request-bodies.json" with { type: "json" };
import { sampleId, sampleOf } from "./samples.ts";

export function renderEndpoint(
  description: Description,
  shown: { base: string; path: string; operation: Operation },
): string {
  const { base, path, operation } = shown;
  const response = firstOf(operation.responses["200"]?.content);
  const parameters = renderParameters(description, operation, ["path", "query"]);
  const url = { address: `${base}${path}`, required: requiredOf(operation) };
  return `<section class="wide" id="${anchorOf(operation.operationId)}" aria-label="${escapeHtml(operation.summary)}">
<div>
<h3><span class="method">GET</span> ${escapeHtml(path)}</h3>
<p>${renderInline(operation.description)}</p>
${parameters ? `<h4>Parameters</h4>${parameters}` : "<p>No parameters.</p>"}
<details><summary>All fields</summary>${renderFields(description, response?.schema ?? {})}</details>
<details><summary>Status codes</summary>${renderStatuses(description, operation)}</details>
</div>
<div class="beside">
<h4>Request</h4>${renderExamples(url)}
<h4>Response</h4>${renderCode(JSON.stringify(response?.example, null, 2))}
</div>
</section>`;
}

/** Without code in every language: the guide has examples. */
export function renderManagement(
  description: Description,
  shown: { base: string; path: string; method: string; operation: Operation },
): string {
  const { path, method, operation } = shown;
  const body = firstOf(operation.requestBody?.content);
  const answer = firstOf((operation.responses["201"] ?? operation.responses["200"])?.content);
  const tables = [
    ["Parameters", renderParameters(description, operation, ["path", "query"])],
    ["Body", body?.schema && renderFields(description, body.schema)],
  ].flatMap(([title, table]) =>
    table ? [`<details><summary>${title}</summary>${table}</details>`] : [],
  );
  const sample = answer?.schema && JSON.stringify(sampleOf(description, answer.schema), null, 2);
  return `<section class="wide" id="${anchorOf(operation.operationId)}" aria-label="${escapeHtml(operation.summary)}">
<div>
<h3><span class="method">${method}</span> ${escapeHtml(path)}</h3>
<p>${renderInline([`${operation.summary}.`, operation.description].filter(Boolean).join(" "))}</p>
${tables.join("\n")}
<details><summary>Response</summary>${renderFields(description, answer?.schema ?? {})}</details>
<details><summary>Status codes</summary>${renderStatuses(description, operation)}</details>
</div>
<div class="beside">
<h4>Request</h4>${renderCode(writeRequest(shown))}
${sample ? `<details><summary>Response</summary>${renderCode(sample)}</details>` : ""}
</div>
</section>`;
}

const bodies: Readonly<Record<string, object>> = requestBodies;

/** Files have a guide of their own. */
function writeRequest(shown: {
  base: string;
  path: string;
  method: string;
  operation: Operation;
}): string {
  const { base, path, method, operation } = shown;
  const body = bodies[`${method.toLowerCase()} ${path}`];
  const [type = ""] = Object.keys(operation.requestBody?.content ?? {});
  const data = body
    ? JSON.stringify(body, null, 2).replaceAll("{{review}}", sampleId)
    : type && "@file.csv";
  const address = base + path.replaceAll(/\{(\w+)\}/g, sampleId);
  const lines = [
    `curl ${method === "GET" ? "" : `-X ${method} `}${address}`,
    '-H "Authorization: Bearer $API_KEY"',
    ...(data
      ? [`-H "Content-Type: ${body ? "application/json" : type}"`, `--data-binary '${data}'`]
      : []),
  ];
  return lines.join(" \\\n  ");
}

export function renderWebhook(
  description: Description,
  shown: { event: string; operation: Operation },
): string {
  const { event, operation } = shown;
  const body = firstOf(operation.requestBody?.content);
  return `<section id="${anchorOf(event)}" aria-label="${escapeHtml(event)}">
<div>
<h3><span class="method">POST</span> ${escapeHtml(event)}</h3>
<p>${renderInline(operation.summary)}.</p>
<h4>Headers</h4>${renderParameters(description, operation, ["header"])}
<details><summary>All fields</summary>${renderFields(description, body?.schema ?? {})}</details>
</div>
<div class="beside">
<h4>Body</h4>${renderCode(JSON.stringify(body?.example, null, 2))}
</div>
</section>`;
}

function firstOf(content: Content | undefined): Content[string] | undefined {
  return Object.values(content ?? {})[0];
}

/** The required parameters only: the shortest request that works. */
function requiredOf(operation: Operation): string[] {
  return (operation.parameters ?? [])
    .filter((parameter) => parameter.in === "query" && parameter.required)
    .map(({ name }) => name);
}
