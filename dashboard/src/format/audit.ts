// Entries of the audit log in words: the action, after the user's name, and what differs.
import { formatDay } from "./dates.ts";

type Entry = { action: string; detail: Record<string, unknown> };

const sentences: Record<string, (detail: Record<string, unknown>) => string> = {
  "review.changed": ({ changes }) => describeWork(Object(changes)),
  // Entries of former versions.
  "review.tagged": describeTags,
  "review.assigned": ({ assignee }) => describeAssignee(assignee),
  "review.done": () => "marked it as done",
  "review.reopened": () => "opened it again",
  "review.note_added": () => "wrote a note",
  "review.note_removed": () => "deleted a note",
};

/** @param changes the value before and after, by field */
function describeWork(changes: Record<string, [before: unknown, after: unknown] | undefined>) {
  const { tags, assignee, isDone } = changes;
  const [before, after] = (tags ?? []).map((list) => (isFilled(list) ? list : []));
  const added = after?.filter((tag) => !before?.includes(tag));
  const removed = before?.filter((tag) => !after?.includes(tag));
  return [
    ...(tags ? [describeTags({ added, removed })] : []),
    ...(assignee ? [describeAssignee(Object(assignee[1]).name)] : []),
    ...(isDone ? [isDone[1] ? "marked it as done" : "opened it again"] : []),
  ].join(" and ");
}

function describeTags({ added, removed }: Record<string, unknown>): string {
  return [
    ...(isFilled(added) ? [`added the tag ${added.join(", ")}`] : []),
    ...(isFilled(removed) ? [`removed the tag ${removed.join(", ")}`] : []),
  ].join(" and ");
}

function describeAssignee(name: unknown): string {
  return typeof name === "string" ? `assigned it to ${name}` : "removed the assignee";
}

export function describeChange({ action, detail }: Entry): string {
  return sentences[action]?.(detail) ?? actionName(action);
}

/** `channel.secret_rotated` is `Channel: secret rotated`. */
export function actionName(action: string): string {
  const [noun = "", verb = ""] = action.replaceAll("_", " ").split(".");
  return `${noun.charAt(0).toUpperCase()}${noun.slice(1)}: ${verb}`;
}

/** The changes and the other facts, each in a line: `url: https://a.example → https://b.example`. */
export function describeDetail(detail: Record<string, unknown>): string[] {
  const { name: _name, app: _app, changes, replaced, changed, ...facts } = detail;
  return [
    ...Object.entries(Object(changes) as Record<string, unknown>).map(([name, pair]) =>
      describePair(name, pair),
    ),
    ...(isFilled(replaced) ? [`${replaced.map(fieldName).join(", ")}: replaced`] : []),
    // Entries of former versions name the fields alone.
    ...(isFilled(changed) ? [`changed: ${changed.map(fieldName).join(", ")}`] : []),
    ...Object.entries(facts)
      .filter(([, value]) => value !== null && value !== "" && !isEmptyList(value))
      .map(([name, value]) => `${fieldName(name)}: ${formatValue(value)}`),
  ];
}

/** A long list shows only what was added and removed. */
function describePair(name: string, pair: unknown): string {
  const [before, after] = Array.isArray(pair) ? pair : [null, pair];
  if (!isFilled(before) || !isFilled(after) || before.length + after.length < 8)
    return `${fieldName(name)}: ${formatValue(before)} → ${formatValue(after)}`;
  const added = after.filter((one) => !before.includes(one));
  const removed = before.filter((one) => !after.includes(one));
  const parts = [
    added.length > 0 && `added ${added.join(", ")}`,
    removed.length > 0 && `removed ${removed.join(", ")}`,
  ];
  return `${fieldName(name)}: ${parts.filter(Boolean).join("; ") || "other order"}`;
}

/** `minSampleSize` is `min sample size`. */
function fieldName(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}

function formatValue(value: unknown): string {
  if (value === null || value === undefined || value === "" || isEmptyList(value)) return "none";
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (typeof value === "string" && /^\d{4}-\d\d-\d\dT/.test(value))
    return formatDay(value.slice(0, 10));
  if (Array.isArray(value)) return value.map(formatValue).join(", ");
  if (typeof value !== "object") return String(value);
  const { name } = Object(value);
  return typeof name === "string" ? name : JSON.stringify(value);
}

function isFilled(value: unknown): value is string[] {
  return Array.isArray(value) && value.length > 0;
}

function isEmptyList(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0;
}
