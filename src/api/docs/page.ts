// The reference page at /docs, rendered from the OpenAPI document: one file, no script, and not one
// request to anywhere else.
import { createHash } from "node:crypto";
import type { ApiDescription } from "../openapi.ts";
import { type Content, type Operation, readDescription } from "./description.ts";
import { renderFields, renderParameters } from "./fields.ts";
import { anchorOf, escapeHtml, listHeadings, renderInline, renderMarkdown } from "./markdown.ts";
import { styleSheet } from "./style.ts";

const styleHash = createHash("sha256").update(styleSheet).digest("base64");

/** Allows the page's own style sheet and nothing else. */
export const contentPolicy = `default-src 'none'; style-src 'sha256-${styleHash}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;

export function renderDocs(document: ApiDescription): string {
  const description = readDescription(document);
  const { info, servers } = description;
  const base = servers[0]?.url ?? "";
  const endpoints = Object.entries(description.paths).map(([path, { get }]) => ({
    id: anchorOf(get.operationId),
    label: `<b>GET</b> ${escapeHtml(path)}`,
    html: renderEndpoint({ path, operation: get, base }),
  }));
  const webhooks = Object.entries(description.webhooks).map(([event, { post }]) => ({
    id: anchorOf(event),
    label: escapeHtml(event),
    html: renderWebhook(event, post),
  }));
  const contents = [
    renderLinks("Basics", listHeadings(info.description).map(toLink)),
    renderLinks("Endpoints", endpoints),
    renderLinks("Webhooks", webhooks),
  ];
  const [{ post: anyWebhook } = { post: undefined }] = Object.values(description.webhooks);
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(info.title)} reference</title>
<style>${styleSheet}</style>
</head>
<body>
<a class="skip" href="#content">Skip to the content</a>
<nav aria-label="Contents"><p class="name">${escapeHtml(info.title)} <small>${escapeHtml(info.version)}</small></p>${contents.join("")}
<p><a href="/api/v1/openapi.json">openapi.json</a></p></nav>
<main id="content">
<h1>${escapeHtml(info.title)}</h1>
<p class="base">Base URL <code>${escapeHtml(base)}</code></p>
${renderMarkdown(info.description)}
${renderErrors(description.paths)}
<h2 id="endpoints">Endpoints</h2>
${endpoints.map(({ html }) => html).join("\n")}
<h2 id="webhooks">Webhooks</h2>
${renderMarkdown(anyWebhook?.description ?? "")}
${webhooks.map(({ html }) => html).join("\n")}
</main>
</body>
</html>
`;

  function renderEndpoint(shown: { path: string; operation: Operation; base: string }): string {
    const { path, operation } = shown;
    const answer = jsonOf(operation.responses["200"]?.content);
    const parameters = renderParameters(operation, "query");
    const curl = `curl -H "Authorization: Bearer $API_KEY" \\\n  "${shown.base}${path}${exampleQuery(operation)}"`;
    return `<section id="${anchorOf(operation.operationId)}" aria-label="${escapeHtml(operation.summary)}">
<h3><span class="method">GET</span> ${escapeHtml(path)}</h3>
<p>${renderInline(operation.description)}</p>
${parameters ? `<h4>Parameters</h4>${parameters}` : "<p>No parameters.</p>"}
<h4>Request</h4>${renderCode(curl)}
<h4>Answer</h4>${renderCode(JSON.stringify(answer?.example, null, 2))}
<details><summary>All fields</summary>${renderFields(description, answer?.schema ?? {})}</details>
</section>`;
  }

  function renderWebhook(event: string, operation: Operation): string {
    const body = jsonOf(operation.requestBody?.content);
    const name = body?.schema?.$ref?.split("/").at(-1) ?? "";
    const example = description.components.schemas[name]?.example;
    return `<section id="${anchorOf(event)}" aria-label="${escapeHtml(event)}">
<h3><span class="method">POST</span> ${escapeHtml(event)}</h3>
<p>${renderInline(operation.summary)}.</p>
<h4>Headers</h4>${renderParameters(operation, "header")}
<h4>Body</h4>${renderCode(JSON.stringify(example, null, 2))}
<details><summary>All fields</summary>${renderFields(description, body?.schema ?? {})}</details>
</section>`;
  }
}

type Link = { id: string; label: string };

function toLink(title: string): Link {
  return { id: anchorOf(title), label: escapeHtml(title) };
}

function renderLinks(title: string, links: readonly Link[]): string {
  const items = links.map(({ id, label }) => `<li><a href="#${id}">${label}</a></li>`);
  return `<h2>${title}</h2><ul>${items.join("")}</ul>`;
}

function renderCode(text: string): string {
  return `<pre tabindex="0"><code>${escapeHtml(text)}</code></pre>`;
}

function jsonOf(content: Content | undefined): Content[string] | undefined {
  return content?.["application/json"];
}

/** The required parameters only: the shortest request that works. */
function exampleQuery(operation: Operation): string {
  const required = (operation.parameters ?? []).filter(
    (parameter) => parameter.in === "query" && parameter.required,
  );
  return required.length === 0
    ? ""
    : `?${required.map(({ name }) => `${name}=<${name.toUpperCase()}_ID>`).join("&")}`;
}

/** Every code once, with the place that a problem's `type` points to. */
function renderErrors(paths: Record<string, { get: Operation }>): string {
  const rows = new Map<string, string>();
  for (const { get } of Object.values(paths)) {
    for (const [status, { content }] of Object.entries(get.responses)) {
      for (const [code, { value }] of Object.entries(examplesOf(content))) {
        const detail = String(Reflect.get(Object(value), "detail"));
        rows.set(
          code,
          `<tr id="error-${code}"><th scope="row">${status}</th><td><code>${escapeHtml(code)}</code></td><td>${renderInline(detail)}</td></tr>`,
        );
      }
    }
  }
  return `<div class="scroll" tabindex="0"><table>${[...rows.values()].sort(byStatus).join("")}</table></div>`;
}

function byStatus(a: string, b: string): number {
  const statusOf = (row: string): number => Number(/row">(\d+)/.exec(row)?.[1]);
  return statusOf(a) - statusOf(b);
}

function examplesOf(content: Content | undefined): Record<string, { value?: unknown }> {
  return content?.["application/problem+json"]?.examples ?? {};
}
