// UUIDs: version 7 for what is created here (sorted by time), version 5 for what has a natural name.
import { hash, randomBytes } from "node:crypto";
import { NIL, v7 } from "uuid";

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

/** RFC 9562, section 5.5. Own code because every review needs one and the package takes four times as long. */
export function uuidV5(name: string, namespace: string): string {
  const bytes = Buffer.concat([namespaceBytes(namespace), Buffer.from(name, "utf8")]);
  const hex = hash("sha1", bytes, "hex");
  const variant = variants.charAt(Number.parseInt(hex.charAt(16), 16) & 3);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-5${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

// The two bits in front of the clock sequence are 1 and 0.
const variants = "89ab";
const namespaces = new Map<string, Buffer>();

/** Cached: there are few namespaces. */
function namespaceBytes(namespace: string): Buffer {
  const known = namespaces.get(namespace);
  if (known !== undefined) return known;
  const bytes = Buffer.from(namespace.replaceAll("-", ""), "hex");
  namespaces.set(namespace, bytes);
  return bytes;
}

const uuidPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

export function isUuid(text: string): boolean {
  return uuidPattern.test(text);
}
