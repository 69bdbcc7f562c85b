// Writes the documentation of a service as static files: the reference of the API, the guides, their pictures and search.
//
//     node --import ./bin/typescript-loader.mjs docs-site/build.ts FOLDER
import fs from "node:fs/promises";
import path from "node:path";
import { basePath } from "../src/api/api.ts";
import { describeApi } from "../src/api/openapi.ts";
import { version } from "../src/lib/version.ts";
import { styleSheet } from "./document.ts";
import {
  listForModels,
  listSections,
  picturesFolder,
  readGuides,
  renderGuide,
  renderGuideList,
} from "./guides.ts";
import { renderReference } from "./reference.ts";

export async function buildDocsSite(folder: string): Promise<void> {
  const guides = await readGuides();
  const files = new Map<string, string>([
    ["docs.html", renderReference(describeApi({ serverUrl: basePath, version }))],
    ["docs/style.css", styleSheet],
    ["docs/page.js", await fs.readFile(new URL("page.js", import.meta.url), "utf8")],
    ["docs/search.json", JSON.stringify(listSections(guides))],
    ["docs/guides.html", renderGuideList(guides)],
    ["llms.txt", listForModels(guides)],
    ...guides.flatMap((guide): [string, string][] => [
      [`docs/guides/${guide.name}.html`, renderGuide(guides, guide)],
      [`docs/guides/${guide.name}.md`, guide.text],
    ]),
  ]);
  for (const [name, content] of files) {
    const file = path.join(folder, name);
    await fs.mkdir(path.dirname(file), { recursive: true });
    await fs.writeFile(file, content);
  }
  await fs.cp(picturesFolder, path.join(folder, "docs/guides/images"), { recursive: true });
}

const [, program, folder] = process.argv;
if (program?.endsWith("docs-site/build.ts") && folder) await buildDocsSite(folder);
