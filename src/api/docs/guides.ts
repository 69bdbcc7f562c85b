// The pages of docs/ for users and operators, served at /docs/guides: the same files as in the checkout as HTML, in the
// order of docs/README.md, with a search over their sections. Links to other files of the checkout become text.
import fs from "node:fs/promises";
import { renderDocument } from "./document.ts";
import { anchorOf, escapeHtml, renderMarkdown } from "./markdown.ts";

export const guidesPath = "/docs/guides";

// Beside src in a checkout, and copied beside it by the build.
const folder = new URL("../../../docs/", import.meta.url);

export const picturesFolder = new URL("images/", folder);

/** `job` is the heading of docs/README.md that lists the page, such as "Get notified". */
export type Guide = { name: string; job: string; about: string; title: string; text: string };

/** @throws the error of the file system, when the installation is incomplete */
export async function readGuides(): Promise<readonly Guide[]> {
  const index = await fs.readFile(new URL("README.md", folder), "utf8");
  const [served = ""] = index.split("\n## Develop\n");
  const listed = served.split(/^## /m).flatMap((section) => {
    const [job = ""] = section.split("\n", 1);
    const rows = section.matchAll(/^\| \[([\w-]+)\.md\]\([\w-]+\.md\) \| \w+ \| (.+?) \|$/gm);
    return [...rows].map(([, name = "", about = ""]) => ({ name, job, about }));
  });
  return Promise.all(
    listed.map(async (guide) => {
      const text = await fs.readFile(new URL(`${guide.name}.md`, folder), "utf8");
      return { ...guide, text, title: /^# (.+)$/m.exec(text)?.[1] ?? guide.name };
    }),
  );
}

/** For language models, which read Markdown: what there is and where. https://llmstxt.org */
export const llmsName = "llms.txt";

/** The page of that name as HTML, with `.md` as it is written; null when there is none. */
export function renderGuide(guides: readonly Guide[], name: string): string | null {
  if (name === llmsName) return listForModels(guides);
  const [, written] = /^(.+)\.md$/.exec(name) ?? [];
  if (written) return guides.find((guide) => guide.name === written)?.text ?? null;
  const at = guides.findIndex((guide) => guide.name === name);
  const guide = guides[at];
  if (!guide) return null;
  const names = new Set(guides.map((other) => other.name));
  const html = renderMarkdown(guide.text, (href) => toTarget(href, names));
  const neighbours = [["prev", guides[at - 1]] as const, ["next", guides[at + 1]] as const].map(
    ([rel, other]) => (other ? `<a rel="${rel}" href="${urlOf(other)}">${titleOf(other)}</a>` : ""),
  );
  const main = `${html}<p class="neighbours">${neighbours.join("")}</p>`;
  return renderPage({ title: guide.title, guides, current: name, query: "", main });
}

/** The list of all guides, or the sections that a query finds. */
export function renderGuideList(guides: readonly Guide[], query: string): string {
  const main = query
    ? renderFound(findSections(guides, query), query)
    : `<h1>Guides</h1>${renderByJob(guides, (guide) => `${linkTo(guide)} – ${escapeHtml(guide.about)}`)}`;
  return renderPage({ title: query || "Guides", guides, current: "", query, main });
}

function listForModels(guides: readonly Guide[]): string {
  const jobs = [...new Set(guides.map(({ job }) => job))].map((job) => {
    const own = guides.filter((guide) => guide.job === job);
    const lines = own.map((guide) => `- [${guide.title}](${urlOf(guide)}.md): ${guide.about}`);
    return `## ${job}\n\n${lines.join("\n")}\n`;
  });
  return `# Starpost

> Follows apps in the App Store and Google Play, keeps their reviews, ratings and analysis, and serves them by a read-only
> API, webhooks and chat messages.

- [OpenAPI document](/api/v1/openapi.json): every endpoint of the read API and every webhook body
- \`POST /mcp\`: the same for assistants, as tools of the Model Context Protocol

${jobs.join("\n")}`;
}

type Section = { guide: Guide; heading: string; text: string };

const wordsMax = 8;
const sectionsMax = 30;

/** Sections with every word, those with all of them in a title or heading first. */
function findSections(guides: readonly Guide[], query: string): Section[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean).slice(0, wordsMax);
  const hasAll = (text: string): boolean =>
    words.every((word) => text.toLowerCase().includes(word));
  const sections = guides.flatMap((guide) =>
    guide.text.split(/^## /m).map((text, index) => ({
      guide,
      heading: index === 0 ? "" : (text.split("\n", 1)[0] ?? ""),
      text,
    })),
  );
  const found = sections.filter(({ guide, text }) => hasAll(`${guide.title} ${text}`));
  const isTitled = ({ guide, heading }: Section): boolean => hasAll(`${guide.title} ${heading}`);
  const titled = found.filter(isTitled);
  const others = found.filter((section) => !isTitled(section));
  return [...titled, ...others].slice(0, sectionsMax);
}

function renderFound(sections: readonly Section[], query: string): string {
  const [word = ""] = query.toLowerCase().split(/\s+/);
  const items = sections.map(({ guide, heading, text }) => {
    const anchor = heading && `#${anchorOf(heading)}`;
    const title = escapeHtml([guide.title, heading].filter(Boolean).join(" › "));
    const plain = text.replace(/\]\([^)]*\)|[[\]`|*#]/g, " ").replace(/\s+/g, " ");
    const from = Math.max(plain.lastIndexOf(" ", plain.toLowerCase().indexOf(word) - 60), 0);
    const excerpt = escapeHtml(plain.slice(from, from + 180).replace(/\S*$/, ""));
    return `<li><a href="${urlOf(guide)}${anchor}">${title}</a><br>… ${excerpt} …</li>`;
  });
  const count = sections.length === 0 ? "Nothing was found." : "";
  return `<h1>${escapeHtml(query)}</h1><p>${count}</p><ul class="found">${items.join("\n")}</ul>`;
}

/** null for files of the checkout that the service does not serve. */
function toTarget(href: string, names: ReadonlySet<string>): string | null {
  if (/^(https?:|#)/.test(href)) return href;
  if (/^images\/[\w-]+\.png$/.test(href)) return `${guidesPath}/${href}`;
  const [, name = "", anchor = ""] = /^([\w-]+)\.md(#.+)?$/.exec(href) ?? [];
  return names.has(name) ? `${guidesPath}/${name}${anchor}` : null;
}

const urlOf = ({ name }: Guide): string => `${guidesPath}/${name}`;
const titleOf = ({ title }: Guide): string => escapeHtml(title);
const linkTo = (guide: Guide): string => `<a href="${urlOf(guide)}">${titleOf(guide)}</a>`;

function renderByJob(guides: readonly Guide[], render: (guide: Guide) => string): string {
  const jobs = [...new Set(guides.map(({ job }) => job))];
  const lists = jobs.map((job) => {
    const own = guides.filter((guide) => guide.job === job);
    return `<h2>${escapeHtml(job)}</h2><ul>${own.map((guide) => `<li>${render(guide)}</li>`).join("\n")}</ul>`;
  });
  return lists.join("\n");
}

function renderPage(page: {
  title: string;
  guides: readonly Guide[];
  current: string;
  query: string;
  main: string;
}): string {
  const links = renderByJob(page.guides, (guide) =>
    guide.name === page.current
      ? linkTo(guide).replace("<a ", '<a aria-current="page" ')
      : linkTo(guide),
  );
  const nav = `<p class="name">Starpost</p>
<form action="${guidesPath}" role="search"><input type="search" name="q" maxlength="100" aria-label="Search the guides" placeholder="Search" value="${escapeHtml(page.query)}"></form>
<ul><li><a href="/docs">API reference</a></li></ul>${links}`;
  return renderDocument({ title: `${page.title} – Starpost`, nav, main: page.main });
}
