// The reference page at /docs, rendered from the OpenAPI document.
import { basePath } from "../src/api/api.ts";
import { type Description, methods } from "../src/api/description.ts";
import { describeProblem, problemCodes } from "../src/api/problem.ts";
import { renderLanguageChoice } from "./code-examples.ts";
import { renderDocument } from "./document.ts";
import { anchorOf, escapeHtml, listHeadings, renderInline, renderMarkdown } from "./markdown.ts";
import { renderEndpoint, renderManagement, renderWebhook } from "./operations.ts";

/** In the examples of the built page; its script puts the address there that the reader sees. */
const exampleOrigin = "https://starpost.example.com";

export function renderReference(description: Description): string {
  const { info } = description;
  const base = `${exampleOrigin}${basePath}`;
  const operations = Object.entries(description.paths).flatMap(([path, byMethod]) =>
    methods.flatMap((method) => {
      const operation = byMethod[method];
      if (!operation) return [];
      const shown = { base, path, method: method.toUpperCase(), operation };
      const isSetUp = operation.tags.includes("Set-up");
      const render = isSetUp ? renderManagement : renderEndpoint;
      const label = `<b>${shown.method}</b> ${escapeHtml(path)}`;
      return [
        { id: anchorOf(operation.operationId), label, isSetUp, html: render(description, shown) },
      ];
    }),
  );
  const endpoints = operations.filter(({ isSetUp }) => !isSetUp);
  const management = operations.filter(({ isSetUp }) => isSetUp);
  const webhooks = Object.entries(description.webhooks).map(([event, { post }]) => ({
    id: anchorOf(event),
    label: escapeHtml(event),
    html: renderWebhook(description, { event, operation: post }),
  }));
  const contents = [
    renderLinks("Basics", listHeadings(info.description).map(toLink)),
    renderLinks("Endpoints", endpoints),
    renderLinks("Set-up", management),
    renderLinks("Webhooks", webhooks),
  ];
  const [{ post: anyWebhook } = { post: undefined }] = Object.values(description.webhooks);
  const nav = `<p class="name">${escapeHtml(info.title)} <small>${escapeHtml(info.version)}</small></p>${contents.join("")}
<p><a href="/docs/guides">Guides</a> · <a href="/api/v1/openapi.json">openapi.json</a></p>`;
  const main = `${renderLanguageChoice()}
<h1>${escapeHtml(info.title)}</h1>
<p class="base" data-origin="${exampleOrigin}">Base URL <code>${escapeHtml(base)}</code></p>
${renderMarkdown(info.description)}
${renderErrors()}
<h2 id="endpoints">Endpoints</h2>
${endpoints.map(({ html }) => html).join("\n")}
<h2 id="set-up">Set-up</h2>
<p>Programs change the workspace by these, with a key of the scope <code>manage</code>; see the <a href="/docs/guides/manage.md">guide</a>. Every change takes <code>dryRun=true</code> and an <code>Idempotency-Key</code>.</p>
${management.map(({ html }) => html).join("\n")}
<h2 id="webhooks">Webhooks</h2>
${renderMarkdown(anyWebhook?.description ?? "")}
${webhooks.map(({ html }) => html).join("\n")}`;
  return renderDocument({ title: `${info.title} reference`, nav, main });
}

type Link = { id: string; label: string };

function toLink(title: string): Link {
  return { id: anchorOf(title), label: escapeHtml(title) };
}

function renderLinks(title: string, links: readonly Link[]): string {
  const items = links.map(({ id, label }) => `<li><a href="#${id}">${label}</a></li>`);
  return `<h2>${title}</h2><ul>${items.join("")}</ul>`;
}

/** Every code once, at the anchor that a problem's `type` points to. */
function renderErrors(): string {
  const rows = problemCodes.map((code) => {
    const { status, meaning } = describeProblem(code);
    return (
      `<tr id="error-${code}"><th scope="row">${status}</th><td><code>${code}</code></td>` +
      `<td>${renderInline(meaning)}</td></tr>`
    );
  });
  const head = ["Status", "Code", "Meaning"].map((name) => `<th scope="col">${name}</th>`);
  return `<div class="scroll" tabindex="0"><table><thead><tr>${head.join("")}</tr></thead><tbody>${rows.join("")}</tbody></table></div>`;
}
