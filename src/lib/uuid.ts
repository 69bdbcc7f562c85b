// UUIDs: version 7 for what is made here (sorted by time), version 5 for what has a natural name.
import { randomBytes } from "node:crypto";
import { v5, v7 } from "uuid";

// Within one millisecond the order is that of the calls: lists by id are lists by age.
let sequence = randomBytes(4).readUInt32BE() >>> 1;

export function uuidV7(now: Date): string {
  sequence = (sequence + 1) % 2 ** 32;
  return v7({ msecs: now.getTime(), seq: sequence });
}

/** Not above any version 7 id of this moment or later, above those of before. */
export function uuidV7Floor(moment: Date): string {
  const hex = moment.getTime().toString(16).padStart(12, "0");
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7000-8000-000000000000`;
}

export function uuidV5(name: string, namespace: string): string {
  return v5(name, namespace);
}

const uuidPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

export function isUuid(text: string): boolean {
  return uuidPattern.test(text);
}
