import { existsSync } from "node:fs";
import fs from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { version } from "../src/lib/version.ts";
import { buildDocsSite } from "./build.ts";

let folder: string;
beforeAll(async () => {
  folder = await fs.mkdtemp(path.join(os.tmpdir(), "starpost-docs-"));
  await buildDocsSite(folder);
});
afterAll(() => fs.rm(folder, { recursive: true }));

const read = (name: string): Promise<string> => fs.readFile(path.join(folder, name), "utf8");
const readGuide = (name: string): Promise<string> => read(`docs/guides/${name}.html`);

/** Links to other guides, as `quick-start`, with their anchors. */
function listLinks(text: string): [name: string, anchor: string][] {
  return [...text.matchAll(/href="\/docs\/guides\/([\w-]+)(?:#([\w-]+))?"/g)].map(
    ([, name = "", anchor = ""]) => [name, anchor],
  );
}

test("the list leads to every guide, and every link between them leads on", async () => {
  const names = [...new Set(listLinks(await read("docs/guides.html")).map(([name]) => name))];
  expect(names).toEqual(
    expect.arrayContaining(["quick-start", "receivers", "cli", "self-hosting"]),
  );
  const pages = new Map<string, string>();
  for (const name of names) pages.set(name, await readGuide(name));
  for (const [name, text] of pages) {
    const broken = listLinks(text).filter(([target, anchor]) => {
      const page = pages.get(target);
      return !page || (anchor !== "" && !page.includes(`id="${anchor}"`));
    });
    expect([name, broken]).toEqual([name, []]);
    // All of their Markdown has become HTML.
    expect([name, /^(#+ |```|\| )|\]\(\w/m.exec(text.replace(/<pre[\s\S]*?<\/pre>/g, ""))]).toEqual(
      [name, null],
    );
  }
});

test("each link of a guide to another file leads to that file in the repository", async () => {
  const root = path.resolve(import.meta.dirname, "..");
  const { homepage } = JSON.parse(await fs.readFile(path.join(root, "package.json"), "utf8"));
  const base = `${homepage.replace("#readme", "")}/blob/v${version}/`;
  const names = [...new Set(listLinks(await read("docs/guides.html")).map(([name]) => name))];
  let fileCount = 0;
  for (const name of names) {
    const targets = [...(await readGuide(name)).matchAll(/ (?:href|src)="([^"#]+)[^"]*"/g)].map(
      ([, target = ""]) => target,
    );
    const files = targets.filter((target) => target.startsWith(base));
    fileCount += files.length;
    const missing = files.filter(
      (target) => !existsSync(path.join(root, target.slice(base.length))),
    );
    const relative = targets.filter((target) => !/^(\/|https?:)/.test(target));
    expect([name, missing, relative]).toEqual([name, [], []]);
    // No link has become text.
    const text = await fs.readFile(path.join(root, "docs", `${name}.md`), "utf8");
    const written = [
      ...text.replace(/^```.*?^```/gms, "").matchAll(/\]\((\.\.|adr|development)\//g),
    ];
    expect([name, files.length]).toEqual([name, written.length]);
  }
  expect(fileCount).toBeGreaterThan(20);
});

test("the list has the titles of the pages by job, and each page leads to its neighbours", async () => {
  const [, main = ""] = (await read("docs/guides.html")).split("<main");
  const jobs = [...main.matchAll(/<h2>(.+?)<\/h2>/g)].map(([, job]) => job);
  expect(jobs).toEqual(["Start", "Collect", "Get notified", "Read", "Understand", "Run"]);
  const names = listLinks(main).map(([name]) => name);
  expect(main).toContain(">Quick start: ten minutes to your first event</a>");
  const page = await readGuide("receivers");
  const [, previous] = /rel="prev" href="\/docs\/guides\/([\w-]+)"/.exec(page) ?? [];
  const [, next] = /rel="next" href="\/docs\/guides\/([\w-]+)"/.exec(page) ?? [];
  const at = names.indexOf("receivers");
  expect([previous, next]).toEqual([names[at - 1], names[at + 1]]);
  expect(await readGuide(names[0] ?? "")).not.toContain('<a rel="prev"');
  expect(await readGuide(names.at(-1) ?? "")).not.toContain('<a rel="next"');
});

test("the index of the search has every section, with a link that leads there", async () => {
  const sections: { url: string; title: string; text: string }[] = JSON.parse(
    await read("docs/search.json"),
  );
  expect(sections.map(({ title }) => title)).toContain("Install › Kubernetes");
  for (const { url, text } of sections) {
    const [, name = "", anchor = ""] = /^\/docs\/guides\/([\w-]+)(?:#([\w-]+))?$/.exec(url) ?? [];
    expect([url, anchor === "" || (await readGuide(name)).includes(`id="${anchor}"`)]).toEqual([
      url,
      true,
    ]);
    expect(text).not.toMatch(/[`*|]|\]\(/);
  }
});

test("pictures are described, and a page has no script or style of its own", async () => {
  const text = await readGuide("channels");
  expect(text).not.toMatch(/<script>|<style|<iframe|@import|url\(|\son\w+=|style="/i);
  const pictures = [...text.matchAll(/<img src="([^"]+)" alt="[^"]{20,}"/g)].map(([, src]) => src);
  expect(pictures).toEqual(["/docs/guides/images/slack-message.png"]);
  expect((await fs.stat(path.join(folder, pictures[0] ?? ""))).size).toBeGreaterThan(1_000);
});

test("guides are there as Markdown, and llms.txt leads to each of them", async () => {
  const links = [
    ...(await read("llms.txt")).matchAll(/^- \[.+?\]\((\/docs\/guides\/[\w-]+\.md)\): \S/gm),
  ];
  expect(links).toHaveLength(
    new Set(listLinks(await read("docs/guides.html")).map(([name]) => name)).size,
  );
  for (const [, name = ""] of links) expect((await read(name)).slice(0, 2)).toBe("# ");
});

test("each operation of the reference has its request and its answer beside the text", async () => {
  const page = await read("docs.html");
  const sections = page.split("<section").slice(1);
  const bare = sections.filter(
    (section) =>
      !/class="beside">\s*<h4>(Request|Body)<\/h4><?/.test(section) ||
      /undefined|: &quot;…&quot;/.test(section),
  );
  expect(bare.map((section) => /aria-label="([^"]*)"/.exec(section)?.[1])).toEqual([]);
  // A request with a body names one: those of test/support/manage-context.ts are sent to a service.
  const withBody = sections.filter((section) => section.includes("<summary>Body</summary>"));
  expect(withBody.length).toBeGreaterThan(10);
  expect(withBody.filter((section) => !section.includes("--data-binary"))).toEqual([]);
});
