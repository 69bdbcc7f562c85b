// Renders the subset of Markdown that the API's descriptions use: headings, paragraphs, lists, fenced code
// and inline code. Everything else is text, and all text is escaped.

export function escapeHtml(text: string): string {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");
}

export function renderCode(text: string): string {
  return `<pre tabindex="0"><code>${escapeHtml(text)}</code></pre>`;
}

/** Inline code only. */
export function renderInline(text: string): string {
  return escapeHtml(text).replace(/`([^`]+)`/g, "<code>$1</code>");
}

export function renderMarkdown(text: string): string {
  return text
    .split(/\n{2,}/)
    .map(renderBlock)
    .join("\n");
}

function renderBlock(block: string): string {
  const fenced = /^```\n([\s\S]*)\n```$/.exec(block);
  if (fenced) return renderCode(fenced[1] ?? "");
  if (block.startsWith("## ")) {
    const title = block.slice(3);
    return `<h2 id="${anchorOf(title)}">${renderInline(title)}</h2>`;
  }
  if (block.startsWith("- ")) {
    const items = block.split(/\n?^- /m).slice(1);
    return `<ul>${items.map((item) => `<li>${renderInline(item)}</li>`).join("")}</ul>`;
  }
  return `<p>${renderInline(block)}</p>`;
}

/** Titles of second-level headings, for a table of contents. */
export function listHeadings(text: string): string[] {
  return [...text.matchAll(/^## (.+)$/gm)].map((match) => match[1] ?? "");
}

export function anchorOf(title: string): string {
  return title.toLowerCase().replace(/[^a-z0-9_]+/g, "-");
}
