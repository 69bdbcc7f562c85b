// Finds scripts and elements in HTML of unknown origin. Every search goes forward once, or no further than a
// bound: a page that was made to take forever takes no longer than any other of its size.

const attributesMax = 300;
const elementTextMax = 1_000;

/** The content of the first script with this id; null when there is none. */
export function findScript(html: string, id: string): string | null {
  const tag = new RegExp(`<script[^<>]{0,${attributesMax}}>`, "g");
  for (const { 0: text, index } of html.matchAll(tag)) {
    if (!text.includes(`id="${id}"`)) continue;
    const start = index + text.length;
    const end = html.indexOf("</script>", start);
    return end < 0 ? null : html.slice(start, end);
  }
  return null;
}

/** The page without its scripts; one that is never closed goes to the end. */
export function withoutScripts(html: string): string {
  const parts: string[] = [];
  let at = 0;
  for (;;) {
    const start = html.indexOf("<script", at);
    if (start < 0) return parts.join("") + html.slice(at);
    parts.push(html.slice(at, start));
    const end = html.indexOf("</script>", start);
    if (end < 0) return parts.join("");
    at = end + "</script>".length;
  }
}

/** The text of every element of this class, up to the first end of an element inside. */
export function listTextsOfClass(html: string, name: string): string[] {
  const element = new RegExp(
    `class=["']([^"']{0,${attributesMax}})["'][^<>]{0,${attributesMax}}>`,
    "g",
  );
  const texts: string[] = [];
  for (const { 0: tag, 1: classes = "", index } of html.matchAll(element)) {
    if (!classes.split(" ").includes(name)) continue;
    const start = index + tag.length;
    const inside = html.slice(start, start + elementTextMax);
    const end = inside.indexOf("</");
    if (end >= 0) texts.push(inside.slice(0, end).replace(/<[^<>]*>/g, " "));
  }
  return texts;
}
