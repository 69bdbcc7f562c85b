// The pages of docs/ for users and operators as HTML, in the order of docs/README.md, and the index that their search
// reads. Links to other files of the checkout lead to the repository, at the tag of the version.
import fs from "node:fs/promises";
import { version } from "../src/lib/version.ts";
import { renderDocument } from "./document.ts";
import { anchorOf, escapeHtml, renderMarkdown } from "./markdown.ts";

const guidesPath = "/docs/guides";
const folder = new URL("../docs/", import.meta.url);

const { repository } = JSON.parse(
  await fs.readFile(new URL("../package.json", import.meta.url), "utf8"),
) as { repository: { url: string } };
const filesUrl = `${repository.url.replace(/^git\+|\.git$/g, "")}/blob/v${version}`;

export const picturesFolder = new URL("images/", folder);

/** `job` is the heading of docs/README.md that lists the page, such as "Get notified". */
export type Guide = { name: string; job: string; about: string; title: string; text: string };

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

export function renderGuide(guides: readonly Guide[], guide: Guide): string {
  const at = guides.indexOf(guide);
  const names = new Set(guides.map((other) => other.name));
  const html = renderMarkdown(guide.text, (href) => toTarget(href, names));
  const neighbours = [["prev", guides[at - 1]] as const, ["next", guides[at + 1]] as const].map(
    ([rel, other]) => (other ? `<a rel="${rel}" href="${urlOf(other)}">${titleOf(other)}</a>` : ""),
  );
  const main = `${html}<p class="neighbours">${neighbours.join("")}</p>`;
  return renderPage({ title: guide.title, guides, current: guide.name, main });
}

/** The list of all guides; the page's script replaces it by what a search finds. */
export function renderGuideList(guides: readonly Guide[]): string {
  const list = renderByJob(guides, (guide) => `${linkTo(guide)} – ${escapeHtml(guide.about)}`);
  return renderPage({ title: "Guides", guides, current: "", main: `<h1>Guides</h1>${list}` });
}

/** llms.txt, for language models, which read Markdown. https://llmstxt.org */
export function listForModels(guides: readonly Guide[]): string {
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

/** The sections of all guides as plain text, in their order. */
export function listSections(
  guides: readonly Guide[],
): { url: string; title: string; text: string }[] {
  return guides.flatMap((guide) =>
    guide.text.split(/^## /m).map((text, index) => {
      const heading = index === 0 ? "" : (text.split("\n", 1)[0] ?? "");
      return {
        url: `${urlOf(guide)}${heading && `#${anchorOf(heading)}`}`,
        title: [guide.title, heading].filter(Boolean).join(" › "),
        text: text.replace(/\]\([^)]*\)|[[\]`|*#]/g, " ").replace(/\s+/g, " "),
      };
    }),
  );
}

function toTarget(href: string, names: ReadonlySet<string>): string {
  if (/^(https?:|#)/.test(href)) return href;
  if (/^images\/[\w-]+\.png$/.test(href)) return `${guidesPath}/${href}`;
  const [, name = "", anchor = ""] = /^([\w-]+)\.md(#.+)?$/.exec(href) ?? [];
  if (names.has(name)) return `${guidesPath}/${name}${anchor}`;
  const { pathname, hash } = new URL(href, "file:///docs/");
  return `${filesUrl}${pathname}${hash}`;
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
  main: string;
}): string {
  const links = renderByJob(page.guides, (guide) =>
    guide.name === page.current
      ? linkTo(guide).replace("<a ", '<a aria-current="page" ')
      : linkTo(guide),
  );
  const nav = `<p class="name">Starpost</p>
<form action="${guidesPath}" role="search"><input type="search" name="q" maxlength="100" aria-label="Search the guides" placeholder="Search"></form>
<ul><li><a href="/docs">API reference</a></li></ul>${links}`;
  return renderDocument({ title: `${page.title} – Starpost`, nav, main: page.main });
}
