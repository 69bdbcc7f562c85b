// The reviews of JSON: a list, pages of an API with a list at any depth, or one object on each line.
import { createFieldFinder } from "../../domain/field-reader.ts";
import { reviewNames } from "../../domain/import-names.ts";
import { isObject, listAt, parseJson, textAt, valueAt } from "../../lib/json.ts";
import { type Line, lineBytesMax } from "../../lib/text-lines.ts";
import { type ImportRow, unreadableFile } from "./import-file.ts";

// A document is parsed as a whole; each of its reviews has a few brackets.
export const documentBytesMax = 64_000_000;
const documentBracketsMax = 5_000_000;

/** A list, or an object over several lines; one object in a line is JSONL. */
export function beginsDocument(firstLine: string): boolean {
  const start = firstLine.trimStart();
  return start.startsWith("[") || (start.startsWith("{") && parseJson(start) === undefined);
}

/** @throws AppError `invalid_input` for JSON that is too large or was cut off */
export async function* readDocument(lines: AsyncIterable<Line>): AsyncGenerator<ImportRow> {
  let text = "";
  for await (const line of lines) {
    text += `${line.text ?? ""}\n`;
    if (line.text === null || text.length > documentBytesMax) {
      throw unreadableFile(
        `a JSON document may have ${documentBytesMax} bytes; write one review per line (jq -c '.[]' FILE)`,
      );
    }
  }
  const document = parseLoosely(text, documentBracketsMax);
  if (document === undefined) {
    throw unreadableFile("its JSON can't be read to the end; it may have been cut off");
  }
  for (const [index, item] of itemsOf(document).entries()) yield toRow(item, index + 1);
}

export async function* readJsonRows(lines: AsyncIterable<Line>): AsyncGenerator<ImportRow> {
  for await (const { number, text } of lines) {
    if (text === null) {
      yield { line: number, reason: `the line is longer than ${lineBytesMax} bytes` };
    } else if (text.trim() !== "") {
      const value = parseLoosely(text);
      const items = isObject(value) ? itemsOf(value) : [value];
      for (const item of items) yield toRow(item, number);
    }
  }
}

function toRow(item: unknown, line: number): ImportRow {
  return isObject(item)
    ? { line, fields: item }
    : { line, reason: "the line is not a JSON object" };
}

/** Python writes `NaN` and `Infinity`, which JSON does not have. */
function parseLoosely(text: string, countMax?: number): unknown {
  const value = parseJson(text, countMax);
  if (value !== undefined || !/NaN|Infinity/.test(text)) return value;
  const token = /"(?:[^"\\]|\\.)*(?:"|$)|-?\b(?:NaN|Infinity)\b/g;
  const repaired = text.replace(token, (found) => (found.startsWith('"') ? found : "null"));
  return parseJson(repaired, countMax);
}

const depthMax = 8;

/** The reviews of lists and pages at any depth, with the replies beside them; else the value. */
function itemsOf(value: unknown, depth = 0): readonly unknown[] {
  if (depth > depthMax) return [value];
  if (Array.isArray(value))
    return value.some(isReview) ? value : value.flatMap((item) => itemsOf(item, depth + 1));
  if (!isObject(value) || isReview(value)) return [value];
  const parts = Object.entries(value).filter(
    ([name, part]) => name !== "included" && typeof part === "object" && part !== null,
  );
  const found = parts.map(([, part]) => itemsOf(part, depth + 1));
  const reviews = found.filter((items) => items.some(isReview)).flat();
  if (reviews.length > 0) return addReplies(reviews, value);
  const page = ["data", "reviews", "results"].map((name) => listAt(value, name));
  const items = page.find((list) => list?.every(isObject));
  return items ? addReplies(items, value) : [value];
}

const findFields = createFieldFinder(reviewNames);

/** Whether it has the fields of one; lists have other things, too. */
function isReview(value: unknown): boolean {
  if (!isObject(value)) return false;
  const attributes = valueAt(value, "attributes");
  const names = Object.keys(isObject(attributes) ? attributes : value);
  const fields = findFields(names);
  const isStored = fields.has("rating") && (fields.has("date") || fields.has("text"));
  // As Google's API has them: the words are one level below.
  return isStored || (fields.has("id") && listAt(value, "comments") !== null);
}

/** The App Store Connect API has replies beside the reviews of a page. */
function addReplies(reviews: readonly unknown[], page: unknown): readonly unknown[] {
  const included = listAt(page, "included");
  if (!included) return reviews;
  const replies = new Map(included.map((one) => [textAt(one, "id") ?? "", one]));
  return reviews.map((item) => {
    const id = textAt(item, "relationships", "response", "data", "id") ?? "";
    const replyText = textAt(replies.get(id), "attributes", "responseBody");
    const replyDate = textAt(replies.get(id), "attributes", "lastModifiedDate");
    return isObject(item) && replyText !== null ? { ...item, replyText, replyDate } : item;
  });
}
