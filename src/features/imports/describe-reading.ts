// How a file was read, for people: one line for the fields, one for each thing that is worth knowing.
import type { Reading } from "./files/survey.ts";

/** In the order of docs/import-format.md. */
const fieldOrder =
  "id reviewLink author rating title text version country language date time replyText replyDate votes device osVersion submittedAt".split(
    " ",
  );

export function describeReading(reading: Reading): string[] {
  const { fields, app, notRead, assumed, emptied, madeIds, alike, merged, questions } = reading;
  const zone = assumed && ` (${assumed.zone} assumed)`;
  const pairs = fieldOrder.flatMap((field) => {
    const columns = fields[field];
    if (!columns) return [];
    return [`${field} ← ${columns.join(", ")}${field === "date" ? (zone ?? "") : ""}`];
  });
  const others = notRead.map(({ column, values }) => {
    if (values === 1) return `${column} (1 value)`;
    return values === null ? column : `${column} (${values} values)`;
  });
  const cells = emptied.map(({ cell, rows }) => `${cell} (${countOf(rows, "row")})`);
  const made = `${countOf(madeIds, "id")}, of author, date, words and stars`;
  const known = "have the date, words and stars of another row and its author";
  return [
    ...list("read", pairs),
    ...list("names the app", app),
    ...list("not read", others),
    ...list("read as empty", cells),
    ...list("made", madeIds > 0 ? [made] : []),
    ...list("alike", alike > 0 ? [`${countOf(alike, "row")} ${known}`] : []),
    ...list("merged", merged > 0 ? [`${countOf(merged, "row")} with the id of another row`] : []),
    ...questions.map(({ sentence }) => `to answer: ${sentence}`),
  ];
}

function list(name: string, items: readonly string[]): string[] {
  return items.length > 0 ? [`${name}: ${items.join(", ")}`] : [];
}

function countOf(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}
