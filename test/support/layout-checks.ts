// The layout faults of a page: text outside its box, text over text, and open panels or dialogs
// that leave the window.
import type { Page } from "playwright-core";

/** One line for each problem. */
export function listLayoutProblems(page: Page): Promise<string[]> {
  return page.evaluate<string[]>(script);
}

// Text of a panel or dialog may cover the page below it, and sticky or fixed parts what scrolls under them: text is
// compared with text of the same layer only. Text that its box cuts off ends at the box.
const script = `(() => {
  const slack = 1.5;
  const layerOf = (element) => element.closest("[data-panel], dialog, [role=status], header") ??
    [...ancestorsOf(element)].find((one) => /sticky|fixed/.test(getComputedStyle(one).position)) ?? document.body;
  function* ancestorsOf(element) {
    for (let one = element; one && one !== document.documentElement; one = one.parentElement) yield one;
  }
  const isHidden = (element) => !element.checkVisibility({ opacityProperty: true, visibilityProperty: true }) ||
    element.closest("[class*=visually-hidden], [class*=skip], option, svg, script, style") !== null;
  const name = (node) => JSON.stringify(node.textContent.trim().slice(0, 50));
  const problems = [];
  const texts = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const parent = node.parentElement;
    if (!node.textContent.trim() || isHidden(parent)) continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    for (const rect of range.getClientRects()) {
      let { left, right, top, bottom } = rect;
      let box = null;
      for (const one of ancestorsOf(parent)) {
        const style = getComputedStyle(one);
        const bounds = one.getBoundingClientRect();
        if (style.overflowX !== "visible") {
          left = Math.max(left, bounds.left); right = Math.min(right, bounds.right);
        }
        if (style.overflowY !== "visible") {
          top = Math.max(top, bounds.top); bottom = Math.min(bottom, bounds.bottom);
        }
        if (style.display !== "inline" && style.display !== "contents" && !box &&
            (left < bounds.left - slack || right > bounds.right + slack)) box = one;
        if (/absolute|fixed/.test(style.position)) break;
      }
      if (right - left < 1 || bottom - top < 1) continue;
      if (box) problems.push(name(node) + " leaves its box " + (box.className || box.tagName));
      texts.push({ node, left, right, top, bottom, layer: layerOf(parent) });
    }
  }
  texts.sort((one, other) => one.top - other.top);
  texts.forEach((one, index) => {
    for (const other of texts.slice(index + 1)) {
      if (other.top > one.bottom) break;
      const width = Math.min(one.right, other.right) - Math.max(one.left, other.left);
      const height = Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top);
      if (one.layer === other.layer && one.node !== other.node && width > 2 && height > 5)
        problems.push(name(one.node) + " overlaps " + name(other.node));
    }
  });
  for (const panel of document.querySelectorAll("[data-panel], dialog[open]")) {
    if (!panel.checkVisibility()) continue;
    const { left, right, top, bottom } = panel.getBoundingClientRect();
    if (left < 0 || top < 0 || right > innerWidth || bottom > innerHeight)
      problems.push("a panel leaves the window: " + [left, top, right, bottom].map(Math.round) + " " + name(panel));
  }
  const overflow = document.documentElement.scrollWidth - document.documentElement.clientWidth;
  if (overflow > 0) problems.push("the page is " + overflow + " px wider than the window");
  return [...new Set(problems)];
})()`;
