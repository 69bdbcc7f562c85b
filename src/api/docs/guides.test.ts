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
    // Whatever Markdown they use has become HTML.
    expect([name, /^(#+ |```|\| )|\]\(\w/m.exec(text.replace(/<pre[\s\S]*?<\/pre>/g, ""))]).toEqual(
      [name, null],
    );
  }
});

test("a guide has no script and makes no request", async () => {
  const { headers, text } = await context.request("/docs/guides/receivers", { key: null });
  expect(headers.get("content-security-policy")).toContain("default-src 'none'");
  expect(text).not.toMatch(/<script|<link|<img|<form|<iframe|@import|url\(|\son\w+=|style="/i);
});

test("nothing but the guides can be asked for", async () => {
  for (const name of ["glossary", "..%2Fpackage.json", "%00", "README", "nothing"]) {
    const { status } = await context.request(`/docs/guides/${name}`, { key: null });
    expect([name, status]).toEqual([name, 404]);
  }
});
