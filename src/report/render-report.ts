// A report in the format that the user chose.
import type { Report } from "../dashboard-api/contract/report.ts";
import { toHtml } from "./write-html.ts";
import { toMarkdown } from "./write-markdown.ts";

export async function renderReport(report: Report, format: "html" | "markdown"): Promise<string> {
  return format === "html" ? toHtml(report) : toMarkdown(report);
}
