// Lets Node run the TypeScript sources: the build of the documentation, and the worker threads of tests, which vitest doesn't
// compile for.
import fs from "node:fs/promises";
import { register } from "node:module";

register(import.meta.url);

/** A loader hook: https://nodejs.org/docs/latest-v20.x/api/module.html#loadurl-context-nextload */
export async function load(url, context, nextLoad) {
  if (!url.startsWith("file:") || !url.endsWith(".ts")) return nextLoad(url, context);
  const { transformSync } = await import("rolldown/utils");
  const source = await fs.readFile(new URL(url), "utf8");
  const { code } = transformSync(new URL(url).pathname, source);
  return { format: "module", source: code, shortCircuit: true };
}
