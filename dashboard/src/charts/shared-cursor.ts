// The day under the pointer, shared by all charts of a page: each marks it, so that what happened at once is seen at
// once. Outside of React's tree, because it changes with every move of the pointer.
import { useSyncExternalStore } from "react";

let cursorDay: string | null = null;
const listeners = new Set<() => void>();

/** YYYY-MM-DD; null when the pointer leaves. */
export function setCursorDay(day: string | null): void {
  if (day === cursorDay) return;
  cursorDay = day;
  for (const listener of listeners) listener();
}

export function useCursorDay(): string | null {
  return useSyncExternalStore(subscribe, () => cursorDay);
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}
