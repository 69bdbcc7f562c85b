// UUIDs: version 7 for what is made here (sorted by time), version 5 for what has a natural name.
import { v5, v7 } from "uuid";

export function uuidV7(now: Date): string {
  return v7({ msecs: now.getTime() });
}

export function uuidV5(name: string, namespace: string): string {
  return v5(name, namespace);
}

const uuidPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

export function isUuid(text: string): boolean {
  return uuidPattern.test(text);
}
