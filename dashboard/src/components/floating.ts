// Panels that open over the page: when one closes because of an event elsewhere, and where it lies in the window.
import { type RefObject, useEffect, useLayoutEffect, useRef } from "react";

/** Calls `onOutside` when something outside the element is pressed or focused; null: closed, nothing to close. */
export function useOutside(
  root: RefObject<HTMLElement | null> | null,
  onOutside: () => void,
): void {
  const callback = useRef(onOutside);
  callback.current = onOutside;
  useEffect(() => {
    if (!root) return;
    const listener = ({ target }: Event) => {
      const element = root.current;
      if (!element || !(target instanceof Node)) return;
      // A press on text focuses the next focusable element around it, which may contain the panel.
      if (!element.contains(target) && !target.contains(element)) callback.current();
    };
    document.addEventListener("pointerdown", listener);
    document.addEventListener("focusin", listener);
    return () => {
      document.removeEventListener("pointerdown", listener);
      document.removeEventListener("focusin", listener);
    };
  }, [root]);
}

const marginPx = 8;
// A panel that would be lower than this opens upwards if there is more room.
const heightMinPx = 200;

/** Moves an open panel into the window: sideways, upwards, and no higher than the space that it has. */
function keepInWindow(panel: HTMLElement): void {
  panel.style.translate = "";
  panel.style.maxHeight = "";
  delete panel.dataset["side"];
  const { clientWidth, clientHeight } = document.documentElement;
  const anchor = panel.parentElement?.getBoundingClientRect();
  let box = panel.getBoundingClientRect();
  if (anchor && box.bottom > clientHeight - marginPx) {
    const below = clientHeight - marginPx - box.top;
    const above = anchor.top - 2 * marginPx;
    const opensUpwards = below < heightMinPx && above > below;
    if (opensUpwards) panel.dataset["side"] = "above";
    panel.style.maxHeight = `${opensUpwards ? above : Math.max(below, heightMinPx)}px`;
    box = panel.getBoundingClientRect();
  }
  const toTheLeft = Math.min(0, clientWidth - marginPx - box.right);
  panel.style.translate = `${Math.max(toTheLeft, marginPx - box.left)}px`;
}

/** Keeps a panel in the window while it is open: after each render, as its content may have changed, and on a resize. */
export function useKeptInWindow(panel: RefObject<HTMLElement | null>): void {
  const place = useRef(() => {
    if (panel.current?.checkVisibility()) keepInWindow(panel.current);
  }).current;
  useLayoutEffect(place);
  useEffect(() => {
    window.addEventListener("resize", place);
    return () => window.removeEventListener("resize", place);
  }, [place]);
}
