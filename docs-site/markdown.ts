// Renders the Markdown of the guides and of the API's descriptions. All text is escaped, HTML in it as well.
import { Marked, type Tokens } from "marked";

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

/** @param toTarget where a link leads */
export function renderMarkdown(
  text: string,
  toTarget: (href: string) => string = (href) => href,
): string {
  const marked = new Marked({
    renderer: {
      heading({ tokens, depth, text }: Tokens.Heading) {
        const tag = `h${depth}`;
        return `<${tag} id="${anchorOf(text)}">${this.parser.parseInline(tokens)}</${tag}>\n`;
      },
      link({ href, tokens }: Tokens.Link) {
        return `<a href="${escapeHtml(toTarget(href))}">${this.parser.parseInline(tokens)}</a>`;
      },
      image({ href, text }: Tokens.Image) {
        return `<img src="${escapeHtml(toTarget(href))}" alt="${escapeHtml(text)}">`;
      },
      code: ({ text }: Tokens.Code) => `${renderCode(text)}\n`,
      table(table: Tokens.Table) {
        const cells = (row: Tokens.TableCell[], tag: string) =>
          row.map((cell) => `<${tag}>${this.parser.parseInline(cell.tokens)}</${tag}>`).join("");
        const rows = table.rows.map((row) => `<tr>${cells(row, "td")}</tr>`).join("");
        const isLabelled = table.header.some(({ text }) => text !== "");
        const head = isLabelled ? `<thead><tr>${cells(table.header, "th")}</tr></thead>` : "";
        return `<div class="scroll" tabindex="0"><table>${head}<tbody>${rows}</tbody></table></div>\n`;
      },
      // There is none in our pages; as text it can do nothing.
      html: ({ text }: Tokens.HTML | Tokens.Tag) => escapeHtml(text),
    },
  });
  return marked.parse(text, { async: false });
}

/** Titles of second-level headings, for a table of contents. */
export function listHeadings(text: string): string[] {
  return [...text.matchAll(/^## (.+)$/gm)].map((match) => match[1] ?? "");
}

export function anchorOf(title: string): string {
  return title
    .toLowerCase()
    .replaceAll("'", "")
    .replace(/[^a-z0-9_]+/g, "-");
}
