// The report as one file of HTML: the pages of the dashboard, built into a template, with the data of the report in it.
import fs from "node:fs/promises";
import type { Report } from "../dashboard-api/contract/report.ts";
import { escapeHtml } from "../lib/escape-html.ts";

const template = new URL(
  import.meta.url.endsWith(".ts") ? "../../dist/report/report.html" : "../../report/report.html",
  import.meta.url,
);

/** @throws where the template is missing: the build makes it */
export async function toHtml(report: Report): Promise<string> {
  const page = await fs.readFile(template, "utf8");
  // Reviews are other people's words: none may end the element that holds them.
  const data = JSON.stringify(report).replaceAll("<", "\\u003c");
  return page
    .replace(
      "<title>Starpost</title>",
      () => `<title>${escapeHtml(report.title)} · Starpost</title>`,
    )
    .replace("{}</script>", () => `${data}</script>`);
}
