// The pages of docs/ for users and operators, served at /docs/guides: the same files as in the checkout, as HTML
// without scripts. Links between them lead on; what lies elsewhere in the checkout is text.
import fs from "node:fs/promises";
import { renderDocument } from "./document.ts";
import { escapeHtml, renderMarkdown } from "./markdown.ts";

export const guidesPath = "/docs/guides";

// Beside src in a checkout, and copied beside it by the build.
const folder = new URL("../../../docs/", import.meta.url);

type Guide = { name: string; about: string };

/**
 * The page of that name as HTML; null when there is none. "" is the list of all.
 *
 * @throws the error of the file system, when the installation is incomplete
 */
export async function renderGuide(name: string): Promise<string | null> {
  const guides = listGuides(await fs.readFile(new URL("README.md", folder), "utf8"));
  if (name === "") return renderPage("Guides", { name, guides, html: renderList(guides) });
  // A name of the list only: nothing else of the disk can be asked for.
  if (!guides.some((guide) => guide.name === name)) return null;
  const text = await fs.readFile(new URL(`${name}.md`, folder), "utf8");
  const title = /^# (.+)$/m.exec(text)?.[1] ?? name;
  const names = new Set(guides.map((guide) => guide.name));
  const html = renderMarkdown(text, (href) => toTarget(href, names));
  return renderPage(title, { name, guides, html });
}

/** Rows of the tables for users and operators: `| [name.md](name.md) | about |`. */
function listGuides(index: string): Guide[] {
  const [, ours = ""] = index.split("## For users");
  const [shown = ""] = ours.split("## For contributors");
  return [...shown.matchAll(/^\| \[([\w-]+)\.md\]\([\w-]+\.md\) \| (.+?) \|$/gm)].map(
    ([, name = "", about = ""]) => ({ name, about }),
  );
}

/** null for files of the checkout, which the service does not serve. */
function toTarget(href: string, names: ReadonlySet<string>): string | null {
  if (/^(https?:|#)/.test(href)) return href;
  const [, name = "", anchor = ""] = /^([\w-]+)\.md(#.+)?$/.exec(href) ?? [];
  return names.has(name) ? `${guidesPath}/${name}${anchor}` : null;
}

function renderList(guides: readonly Guide[]): string {
  const items = guides.map(
    ({ name, about }) =>
      `<li><a href="${guidesPath}/${name}">${titleOf(name)}</a> – ${escapeHtml(about)}</li>`,
  );
  return `<h1>Guides</h1><ul>${items.join("\n")}</ul>`;
}

function titleOf(name: string): string {
  const words = name.replaceAll("-", " ");
  return words.slice(0, 1).toUpperCase() + words.slice(1);
}

function renderPage(
  title: string,
  page: { name: string; guides: readonly Guide[]; html: string },
): string {
  const links = page.guides.map(({ name }) => {
    const current = name === page.name ? ' aria-current="page"' : "";
    return `<li><a href="${guidesPath}/${name}"${current}>${titleOf(name)}</a></li>`;
  });
  const nav = `<p class="name">Starpost</p><ul><li><a href="/docs">API reference</a></li></ul>
<h2>Guides</h2><ul>${links.join("")}</ul>`;
  return renderDocument({ title: `${title} – Starpost`, nav, main: page.html });
}
