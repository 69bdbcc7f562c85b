import { createHash } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type ApiTestContext, openApiTestContext } from "../../../test/support/api-test-context.ts";

let context: ApiTestContext;
beforeAll(async () => {
  context = await openApiTestContext();
});
afterAll(() => context.close());

async function readGuide(name: string): Promise<string> {
  const { status, text } = await context.request(`/docs/guides/${name}`, { key: null });
  expect([name, status]).toEqual([name, 200]);
  return text;
}

/** Links to other guides, as `quick-start`, with their anchors. */
function listLinks(text: string): [name: string, anchor: string][] {
  return [...text.matchAll(/href="\/docs\/guides\/([\w-]+)(?:#([\w-]+))?"/g)].map(
    ([, name = "", anchor = ""]) => [name, anchor],
  );
}

test("the list leads to every guide, and every link between them leads on", async () => {
  const list = await context.request("/docs/guides", { key: null });
  expect(list.status).toBe(200);
  const names = [...new Set(listLinks(list.text).map(([name]) => name))];
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

test("the list has the titles of the pages by job, and each page leads to its neighbours", async () => {
  const { text } = await context.request("/docs/guides", { key: null });
  const [, main = ""] = text.split("<main");
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

test("a search finds sections by all of their words, headings first, with links that lead there", async () => {
  const search = async (query: string) => {
    const path = `/docs/guides?q=${encodeURIComponent(query)}`;
    const [, main = ""] = (await context.request(path, { key: null })).text.split("<main");
    return main;
  };
  const found = await search("Helm volume");
  expect(listLinks(found)[0]).toEqual(["install", "kubernetes"]);
  for (const [name, anchor] of listLinks(await search("retry"))) {
    const page = await readGuide(name);
    expect(anchor === "" || page.includes(`id="${anchor}"`)).toBe(true);
  }
  const hostile = `"><img src=x onerror=alert(1)> ${"x".repeat(10_000)}`;
  const nothing = await search(hostile);
  expect(nothing).toContain("Nothing was found.");
  expect(nothing).not.toContain("<img");
  expect(nothing.length).toBeLessThan(5_000);
});

test("the policy allows a guide's own script, its pictures and its search, and nothing else", async () => {
  const { headers, text } = await context.request("/docs/guides/channels", { key: null });
  const policy = headers.get("content-security-policy") ?? "";
  const scripts = [...text.matchAll(/<script>([\s\S]*?)<\/script>/g)].map(([, code = ""]) => code);
  const hashes = scripts.map((code) => createHash("sha256").update(code).digest("base64"));
  expect(hashes).toHaveLength(1);
  expect(policy).toContain("default-src 'none'");
  expect(policy).toContain(`script-src 'sha256-${hashes[0]}'`);
  expect(text).not.toMatch(/<link|<iframe|@import|url\(|\son\w+=|style="/i);
  const pictures = [...text.matchAll(/<img src="([^"]+)" alt="[^"]{20,}"/g)].map(
    ([, source = ""]) => source,
  );
  expect(pictures).toEqual(["/docs/guides/images/slack-message.png"]);
  const picture = await context.request(pictures[0] ?? "", { key: null });
  expect([picture.status, picture.headers.get("content-type")]).toEqual([200, "image/png"]);
});

test("nothing but the guides and their pictures can be requested", async () => {
  const names = ["glossary", "..%2Fpackage.json", "%00", "README", "nothing"];
  const pictures = ["nothing.png", "..%2F..%2Fdocs%2Fapi.md", "%00"].map(
    (name) => `images/${name}`,
  );
  for (const name of [...names, ...pictures]) {
    const { status } = await context.request(`/docs/guides/${name}`, { key: null });
    expect([name, status]).toEqual([name, 404]);
  }
});

test("guides are there as Markdown, and llms.txt leads to each of them", async () => {
  const list = await context.request("/llms.txt", { key: null });
  expect(list.headers.get("content-type")).toBe("text/markdown; charset=utf-8");
  const links = [...list.text.matchAll(/^- \[.+?\]\((\/docs\/guides\/[\w-]+\.md)\): \S/gm)];
  const html = await context.request("/docs/guides", { key: null });
  expect(links).toHaveLength(new Set(listLinks(html.text).map(([name]) => name)).size);
  for (const [, path = ""] of links) {
    const { status, text } = await context.request(path, { key: null });
    expect([path, status, text.slice(0, 2)]).toEqual([path, 200, "# "]);
  }
  for (const path of ["/docs/guides/nothing.md", "/docs/guides/../README.md", "/llmsxtxt"]) {
    expect([path, (await context.request(path, { key: null })).status]).toEqual([path, 404]);
  }
});
