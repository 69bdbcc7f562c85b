// The detail of an entry of the audit log: the name of the resource, and of each changed field its value before and after.
import { z } from "zod";
import type { Operation, Resource } from "./operation.ts";

/** The value before and after, by the fields that differ. */
export type Changes = Record<string, readonly [before: unknown, after: unknown]>;

/** Templates and long lists are cut: the log keeps each entry for ever. */
const valueLengthMax = 1_000;

export function toAuditDetail(
  { noun, verb, schema, target }: Operation,
  done: { before: Resource | null; result: unknown; detail: Record<string, unknown> },
): Record<string, unknown> {
  const { before, result, detail } = done;
  if (before === null) return detail;
  const old = noun.toView(before);
  const name = old["name"] ?? old["email"] ?? old["externalAppId"];
  const isChange = verb === "change" && schema instanceof z.ZodObject;
  const fields = target === "many" ? old : isChange && schema.shape;
  // A change returns the resource as it is now.
  const changes = fields && listChanges(old, noun.toView(result as Resource), fields);
  return { ...(typeof name === "string" && { name }), ...detail, ...(changes && { changes }) };
}

/** The fields that an entry of a change names. */
export function changedFields({ changes, replaced }: Record<string, unknown>): string[] {
  return [...Object.keys(Object(changes)), ...(Array.isArray(replaced) ? replaced : [])];
}

function listChanges(before: object, after: object, fields: object): Changes {
  const old = new Map(Object.entries(before));
  return Object.fromEntries(
    Object.entries(after).flatMap(([name, value]) => {
      const pair = [cutValue(old.get(name)), cutValue(value)] as const;
      const isSame = JSON.stringify(old.get(name)) === JSON.stringify(value);
      return isSame || !(name in fields) ? [] : [[name, pair]];
    }),
  );
}

function cutValue(value: unknown): unknown {
  const text = JSON.stringify(value) ?? "null";
  return text.length <= valueLengthMax ? (value ?? null) : `${text.slice(0, valueLengthMax)}…`;
}
