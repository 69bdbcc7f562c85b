// The introduction to the API in Markdown: what the schemas can't say. It opens the OpenAPI document and the
// reference page.
import fs from "node:fs";
import { topicNames } from "../domain/topics.ts";
import { keyLimit } from "../http/rate-limit.ts";
import { pageSizeDefault, pageSizeMax } from "./parameters.ts";

const values: Readonly<Record<string, string | number>> = {
  requestsPerMinute: keyLimit.perMinute,
  pageSizeDefault,
  pageSizeMax,
  topics: topicNames.map((name) => `\`${name}\``).join(", "),
};

export const about = read("intro.md").replace(/\{\{(\w+)\}\}/g, (_, name) => String(values[name]));
export const webhookAbout = read("webhooks.md");

function read(name: string): string {
  return fs.readFileSync(new URL(name, import.meta.url), "utf8").trim();
}
