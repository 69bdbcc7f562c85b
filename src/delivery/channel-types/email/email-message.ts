// A message as the HTML and the text of an e-mail: one narrow column that a phone shows without zooming, in the
// colours of the reader's light or dark mode. Texts of strangers are escaped and have a direction of their own.
import { escapeHtml } from "../../../lib/escape-html.ts";
import type { Block, Message } from "../message/message.ts";

/** For the foot: what sends the e-mail, and the page on which a recipient ends it. */
type Origin = { channel: string; workspace: string; stopUrl: string | null };

export function composeHtml(message: Message, origin: Origin | null = null): string {
  const { heading, tone, url } = message;
  const title = escapeHtml(heading);
  const head = url === null ? title : `<a href="${escapeHtml(url)}">${title}</a>`;
  const buttons = message.links.map(
    (link, index) =>
      `<a class="${index === 0 ? "button" : "other"}" href="${escapeHtml(link.url)}">${escapeHtml(link.label)}</a>`,
  );
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${title}</title>
<style>${styles}</style>
</head>
<body>
<div class="card ${tone}">
<h1 dir="auto">${head}</h1>
${message.blocks.map(toHtml).join("\n")}
${buttons.length > 0 ? `<p class="links">${buttons.join(" ")}</p>` : ""}
</div>
<p class="foot" dir="auto">${toFoot(origin)}</p>
</body>
</html>
`;
}

// A style sheet and no inline styles: clients that drop it show plain, readable HTML.
const styles = `
:root { color-scheme: light dark; }
body { margin: 0; padding: 16px; background: #f2f4f7; color: #1c2430;
  font: 16px/1.5 -apple-system, "Segoe UI", Roboto, Helvetica, Arial, sans-serif; }
.card { max-width: 600px; margin: 0 auto; padding: 20px; background: #ffffff; border-radius: 10px;
  border: 1px solid #dde2e9; border-top: 4px solid #8a8f98; }
.good { border-top-color: #2e9e5b; }
.bad { border-top-color: #d64545; }
h1 { margin: 0 0 12px; font-size: 19px; line-height: 1.35; overflow-wrap: anywhere; }
h1 a { color: inherit; text-decoration: none; }
h2 { margin: 24px 0 8px; font-size: 17px; overflow-wrap: anywhere; }
h2 a { color: inherit; }
blockquote { margin: 0 0 12px; padding: 2px 12px; border-inline-start: 3px solid #c5ccd6;
  overflow-wrap: anywhere; }
p { margin: 0 0 12px; white-space: pre-wrap; overflow-wrap: anywhere; }
.note { color: #5b6573; font-size: 14px; }
.strong { font-weight: 600; }
pre { margin: 0 0 12px; padding: 10px 12px; background: #f2f4f7; border-radius: 6px; overflow-x: auto;
  font: 13px/1.5 ui-monospace, Menlo, Consolas, monospace; }
.links { margin: 20px 0 0; }
.button { display: inline-block; margin: 0 12px 8px 0; padding: 9px 16px; border-radius: 6px;
  background: #2456c8; color: #ffffff; text-decoration: none; font-weight: 600; }
.other { display: inline-block; margin: 0 12px 8px 0; padding: 9px 0; color: #2456c8; }
.foot { max-width: 600px; margin: 12px auto 0; color: #5b6573; font-size: 13px; }
.foot a { color: inherit; }
@media (prefers-color-scheme: dark) {
  body { background: #12161c; color: #e6eaf0; }
  .card { background: #1b212a; border-color: #303846; border-top-color: #8a8f98; }
  .card.good { border-top-color: #4cc07c; }
  .card.bad { border-top-color: #f07070; }
  .note, .foot { color: #a3adba; }
  pre { background: #12161c; }
  blockquote { border-color: #475264; }
  .button { background: #3d6fe0; }
  .other { color: #8fb2ff; }
}
`;

function toHtml(block: Block): string {
  const shown = escapeHtml(block.text);
  const url = block.kind === "heading" ? block.url : null;
  const inner = url ? `<a href="${escapeHtml(url)}">${shown}</a>` : shown;
  const tag = tags[block.kind];
  return `<${tag}>${inner}</${tag.split(" ", 1)}>`;
}

/** With their attributes. */
const tags: Readonly<Record<Block["kind"], string>> = {
  strong: 'p class="strong" dir="auto"',
  text: 'p dir="auto"',
  note: 'p class="note" dir="auto"',
  chart: "pre",
  quote: 'blockquote dir="auto"',
  heading: 'h2 dir="auto"',
};

export function composeText(message: Message, origin: Origin | null = null): string {
  const links = message.links.map(({ label, url }) => `${label}: ${url}`);
  const blocks = message.blocks.map(toText);
  const stop = origin?.stopUrl ? [`Stop these e-mails: ${origin.stopUrl}`] : [];
  // The separator of signatures, which readers fold.
  const foot = ["-- ", describeOrigin(origin), ...stop];
  return `${[message.heading, "", ...blocks, "", ...links, "", ...foot].join("\n")}\n`;
}

function describeOrigin(origin: Origin | null): string {
  if (origin === null) return "Sent by Starpost.";
  return `Sent by Starpost: channel “${origin.channel}” of “${origin.workspace}”.`;
}

function toFoot(origin: Origin | null): string {
  const words = escapeHtml(describeOrigin(origin));
  if (!origin?.stopUrl) return words;
  return `${words} <a href="${escapeHtml(origin.stopUrl)}">Stop these e-mails</a>`;
}

function toText(block: Block): string {
  if (block.kind === "quote") return block.text.replace(/^/gm, "> ");
  if (block.kind !== "heading") return block.text;
  return ["", block.text, ...(block.url ? [block.url] : [])].join("\n");
}
