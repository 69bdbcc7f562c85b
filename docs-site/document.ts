// The document around the content of the reference page and of the guides.
import fs from "node:fs";
import { languageStyles } from "./code-examples.ts";
import { escapeHtml } from "./markdown.ts";

const fixedStyles = fs.readFileSync(new URL("style.css", import.meta.url), "utf8");

export const styleSheet = `${fixedStyles}${languageStyles}\n`;

/** `nav` and `main` are HTML, `title` is text. */
export function renderDocument(page: { title: string; nav: string; main: string }): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(page.title)}</title>
<link rel="icon" href="/favicon.svg" type="image/svg+xml">
<link rel="stylesheet" href="/docs/style.css">
<script src="/docs/page.js" defer></script>
</head>
<body>
<a class="skip" href="#content">Skip to the content</a>
<nav aria-label="Contents">${page.nav}</nav>
<main id="content">
${page.main}
</main>
</body>
</html>
`;
}
