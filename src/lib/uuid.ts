// UUIDs: version 7 for what is created here (sorted by time), version 5 for what has a natural name.
import { randomBytes } from "node:crypto";
import { NIL, v5, v7 } from "uuid";

/** Below every other id: where a list by id begins. */
export const lowestUuid: string = NIL;

// Within one millisecond ids are in the order of the calls: lists by id are lists by age.
let sequence = randomBytes(4).readUInt32BE() >>> 1;

export function uuidV7(now: Date): string {
  sequence = (sequence + 1) % 2 ** 32;
  return v7({ msecs: now.getTime(), seq: sequence });
}

/** The lower bound of version 7 ids of this moment: ids of earlier moments are below it. */
export function uuidV7Floor(moment: Date): string {
  const hex = moment.getTime().toString(16).padStart(12, "0");
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7000-8000-000000000000`;
}

export const uuidV5: (name: string, namespace: string) => string = v5;

const uuidPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

export function isUuid(text: string): boolean {
  return uuidPattern.test(text);
}
