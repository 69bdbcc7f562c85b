// Texts that were entered and not saved. They outlive the form: closing it, or going on to the next one, loses none. Outside
// of React's tree and of the query client, because a text field needs its value at once. Signing out forgets them.
import { useSyncExternalStore } from "react";

/** `basis` names what the text was written for; saving it needs the same. */
export type UnsavedText<Basis> = { text: string; basis: Basis };

const texts = new Map<string, UnsavedText<unknown>>();
const listeners = new Set<() => void>();

/** The key has the id of the user, so that another user does not see the text. */
export function useUnsavedText<Basis>(key: string): UnsavedText<Basis> | null {
  return useSyncExternalStore(subscribe, () => readUnsavedText<Basis>(key));
}

export function readUnsavedText<Basis>(key: string): UnsavedText<Basis> | null {
  return (texts.get(key) as UnsavedText<Basis> | undefined) ?? null;
}

/** null: it is saved, or discarded. */
export function keepUnsavedText<Basis>(key: string, unsaved: UnsavedText<Basis> | null): void {
  if (unsaved) texts.set(key, unsaved);
  else texts.delete(key);
  publish();
}

export function forgetUnsavedTexts(): void {
  texts.clear();
  publish();
}

function publish(): void {
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}
