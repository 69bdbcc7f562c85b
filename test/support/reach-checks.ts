// The faults of a page with untidy data: parts wider than the window, controls that the mouse can't reach, and ordinary words
// broken into letters.
import type { Page } from "playwright-core";

/** One line for each problem. */
export function listReachProblems(page: Page): Promise<string[]> {
  return page.evaluate<string[]>(script);
}

// Hundreds of equal rows are checked by the first ones. A word of up to 14 letters has room even on a phone.
const script = `(() => {
  const controlsMax = 150;
  const wordsMax = 3000;
  const problems = [];
  const nameOf = (element) =>
    JSON.stringify((element.getAttribute("aria-label") || element.textContent || element.tagName).trim().slice(0, 40));
  const width = document.documentElement.clientWidth;
  const excess = document.documentElement.scrollWidth - width;
  if (excess > 0) {
    const widest = [...document.querySelectorAll("body *")]
      .filter((one) => one.getBoundingClientRect().right > width + 1)
      .map((one) => one.className || one.tagName).slice(0, 5);
    problems.push("the page is " + excess + " px wider than the window: " + widest.join(", "));
  }
  const start = window.scrollY;
  const controls = [...document.querySelectorAll("a[href], button, input, select, textarea, summary")]
    .filter((one) => one.checkVisibility({ visibilityProperty: true }) &&
      !one.closest("svg, [inert], [class*=skip], [class*=visually-hidden]"));
  // The frame of the page first, then the first ones of its content.
  const frame = controls.filter((one) => one.closest("header, nav"));
  const others = controls.filter((one) => !one.closest("header, nav")).slice(0, controlsMax);
  for (const control of [...frame, ...others]) {
    control.scrollIntoView({ block: "center", inline: "nearest" });
    const rects = [...control.getClientRects()];
    const isReached = rects.some(({ left, right, top, bottom }) => {
      const [x, y] = [(left + right) / 2, (top + bottom) / 2];
      if (x < 0 || y < 0 || x >= innerWidth || y >= innerHeight) return false;
      const hit = document.elementFromPoint(x, y);
      return hit !== null && (control.contains(hit) || hit.contains(control) || hit.closest("label")?.contains(control));
    });
    if (!isReached) problems.push("out of reach: " + nameOf(control));
  }
  window.scrollTo(0, start);
  const walker = document.createTreeWalker(document.querySelector("main") ?? document.body, NodeFilter.SHOW_TEXT);
  let count = 0;
  for (let node = walker.nextNode(); node && count < wordsMax; node = walker.nextNode()) {
    if (!node.parentElement.checkVisibility() || node.parentElement.closest("svg, option, code, pre, script")) continue;
    for (const { index, 0: word } of node.data.matchAll(/(?<![^\\s(])[A-Za-z]{2,14}(?=[\\s.,:;!?)]|$)/g)) {
      count += 1;
      const range = document.createRange();
      range.setStart(node, index);
      range.setEnd(node, index + word.length);
      const lines = new Set([...range.getClientRects()].filter(({ width }) => width > 0).map(({ top }) => Math.round(top)));
      if (lines.size > 1) problems.push("a broken word: " + word);
    }
  }
  return [...new Set(problems)].slice(0, 20);
})()`;
