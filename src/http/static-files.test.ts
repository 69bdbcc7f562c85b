import fs from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { Hono } from "hono";
import { expect, test } from "vitest";
import { securityHeaders } from "./security-headers.ts";
import { createStaticPages, readStaticFiles } from "./static-files.ts";

const security = securityHeaders({
  contentSecurityPolicy: {},
  referrerPolicy: "same-origin",
});

test("the built pages are served from memory, with the index for every page", async () => {
  const folder = await fs.mkdtemp(path.join(os.tmpdir(), "starpost-pages-"));
  try {
    await fs.mkdir(path.join(folder, "assets"));
    await fs.writeFile(path.join(folder, "index.html"), "<!doctype html><title>Starpost</title>");
    await fs.writeFile(path.join(folder, "sign-in.html"), "<!doctype html><title>Sign in</title>");
    await fs.writeFile(path.join(folder, "assets/index-1a.js"), "export {};\n".repeat(200));
    const pages = createStaticPages(await readStaticFiles(folder), {
      security,
      chooseDocument: ({ req }) => (req.header("cookie") ? "/index.html" : "/sign-in.html"),
    });
    const app = new Hono();
    for (const name of pages.paths) app.get(name, (context) => pages.serveFile(context, name));
    app.notFound((context) => pages.servePage(context) ?? context.text("nothing", 404));
    const get = (at: string, headers: Record<string, string> = {}) =>
      app.request(`http://starpost.test${at}`, { headers });
    const script = await get("/assets/index-1a.js", { "accept-encoding": "gzip, br" });
    expect(script.headers.get("cache-control")).toContain("immutable");
    expect(script.headers.get("content-encoding")).toBe("br");
    const tag = script.headers.get("etag") ?? "";
    const again = await get("/assets/index-1a.js", {
      "accept-encoding": "br",
      "if-none-match": tag,
    });
    expect(again.status).toBe(304);
    const page = await get("/w/1/overview", { accept: "text/html", cookie: "starpost=1" });
    expect(await page.text()).toContain("<title>Starpost");
    // The same URL has another document once the user is signed in.
    expect(page.headers.get("vary")).toContain("Cookie");
    for (const at of ["/", "/w/1/overview"]) {
      const known = { "if-none-match": page.headers.get("etag") ?? "", accept: "text/html" };
      expect(await (await get(at, known)).text()).toContain("<title>Sign in");
    }
    expect(page.headers.get("cache-control")).toBe("no-cache");
    expect(page.headers.get("x-frame-options")).toBe("DENY");
    for (const at of ["/api/v1/nothing", "/assets/gone.js", "/../package.json/x"]) {
      expect((await get(at, { accept: at.startsWith("/.") ? "*/*" : "text/html" })).status).toBe(
        404,
      );
    }
  } finally {
    await fs.rm(folder, { recursive: true });
  }
});
