// The reviews of JSON: a list, pages of an API with a list at any depth, or one of these on each line.
import { isPackageName } from "../../../domain/store/app-link.ts";
import { isObject, listAt, parseJson, textAt, valueAt } from "../../../lib/json.ts";
import { type Line, lineBytesMax } from "../../../lib/text-lines.ts";
import { rankOfStatement } from "./app-naming.ts";
import { createFieldFinder } from "./field-reader.ts";
import { type Fields, type ImportRow, unreadableFile } from "./import-file.ts";
import { plainName, reviewNames } from "./import-names.ts";

// A document is parsed as a whole; each of its reviews has a few brackets.
export const documentBytesMax = 64_000_000;
const documentBracketsMax = 5_000_000;

/**
 * Reads a document, or an object or a page on each line. A document may be in one line, which is then the only one.
 *
 * @param options.isLines the name of the file says that each line is a value
 * @param options.documentMax how many bytes a document may have
 * @throws AppError `invalid_input` for a document that is too large or was cut off
 */
export async function* readJsonRows(
  lines: AsyncIterable<Line>,
  { isLines, documentMax = documentBytesMax }: { isLines: boolean; documentMax?: number },
): AsyncGenerator<ImportRow> {
  const filled = skipEmpty(lines);
  const { value: first } = await filled.next();
  if (!first) return;
  if (!isLines && beginsDocument(first.text ?? ""))
    return yield* readDocument(first, filled, documentMax);
  const { value: second } = await filled.next();
  yield* readLine(first, { isOnly: !second });
  if (second) yield* readLine(second);
  for await (const line of filled) yield* readLine(line);
}

async function* skipEmpty(lines: AsyncIterable<Line>): AsyncGenerator<Line, undefined> {
  for await (const line of lines) if (line.text?.trim() !== "") yield line;
}

/** A list, or an object over several lines; one object in a line is JSONL. */
function beginsDocument(firstLine: string): boolean {
  const start = firstLine.trimStart();
  return start.startsWith("[") || (start.startsWith("{") && parseJson(start) === undefined);
}

async function* readDocument(
  first: Line,
  rest: AsyncIterable<Line>,
  bytesMax: number,
): AsyncGenerator<ImportRow> {
  const texts: string[] = [];
  let length = 0;
  const add = ({ text }: Line): void => {
    length += (text?.length ?? 0) + 1;
    if (text === null || length > bytesMax) {
      throw unreadableFile(
        `a JSON document may have ${bytesMax} bytes; write one review per line (jq -c '.[]' FILE)`,
      );
    }
    texts.push(text);
  };
  add(first);
  for await (const line of rest) add(line);
  const document = parseLoosely(texts.join("\n"), documentBracketsMax);
  if (document === undefined) {
    throw unreadableFile("its JSON can't be read to the end; it may have been cut off");
  }
  for (const [index, item] of itemsOf(document).entries()) yield toRow(item, { line: index + 1 });
}

/** @param options.isOnly the line is the document: its reviews count as in one of several lines */
function* readLine(
  { number, text }: Line,
  { isOnly = false }: { isOnly?: boolean } = {},
): Generator<ImportRow> {
  if (text === null) {
    yield { line: number, reason: `the line is longer than ${lineBytesMax} bytes` };
    return;
  }
  const items = itemsOf(parseLoosely(text));
  for (const [index, item] of items.entries()) {
    if (items.length === 1) yield toRow(item, { line: number });
    else yield toRow(item, isOnly ? { line: index + 1 } : { line: number, part: index + 1 });
  }
}

function toRow(item: unknown, at: { line: number; part?: number }): ImportRow {
  return isObject(item)
    ? { ...at, fields: item }
    : { ...at, reason: "the line is not a JSON object" };
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

/** The reviews of lists and pages at any depth, with what the pages say about them; else the value. */
function itemsOf(value: unknown, depth = 0): readonly unknown[] {
  if (depth > depthMax) return [value];
  if (Array.isArray(value))
    return value.some(isReview) ? value : value.flatMap((item) => itemsOf(item, depth + 1));
  if (!isObject(value)) return [value];
  if (isReview(value)) return rowsOfColumns(value) ?? [value];
  const parts = Object.entries(value).filter(
    ([name, part]) => name !== "included" && typeof part === "object" && part !== null,
  );
  const found = parts.map(([name, part]) => nameApp(itemsOf(part, depth + 1), name));
  const reviews = found.filter((items) => items.some(isReview)).flat();
  if (reviews.length > 0) return addPage(reviews, value);
  const page = ["data", "reviews", "results"].map((name) => listAt(value, name));
  const items = page.find((list) => list?.every(isObject));
  return items ? addPage(items, value) : [value];
}

/** pandas writes a table by its columns, each an object with the values of the rows. */
function rowsOfColumns(table: Fields): Fields[] | null {
  const columns = Object.entries(table);
  const first = columns[0]?.[1];
  const [index = "", ...others] = isObject(first) ? Object.keys(first) : [];
  const isIndex = /^\d+$/.test(index);
  if (!isIndex || !columns.every(([, column]) => isObject(column) && index in column)) return null;
  return [index, ...others].map((row) =>
    Object.fromEntries(columns.map(([name, column]) => [name, valueAt(column, row)])),
  );
}

/** People keep lists of several apps by the apps' ids. */
function nameApp(items: readonly unknown[], name: string): readonly unknown[] {
  const isId = isPackageName(name) || /^(id)?\d{9,10}$/.test(name);
  return isId ? items.map((item) => (isObject(item) ? { appId: name, ...item } : item)) : items;
}

/** Its reviews are of the app that the page names. */
function addPage(reviews: readonly unknown[], page: Fields): readonly unknown[] {
  const link = textAt(page, "links", "self") ?? textAt(page, "id", "label");
  const app = { ...(link !== null && { pageLink: link }), ...statementsOf(page) };
  return addReplies(reviews, page).map((item) => (isObject(item) ? { ...app, ...item } : item));
}

function statementsOf(page: Fields, prefix = ""): Fields {
  const pairs = Object.entries(page).flatMap(([key, value]): [string, unknown][] => {
    const name = prefix + key;
    if (isObject(value)) {
      const isApp = prefix === "" && /^app(lication)?$/i.test(key);
      return isApp ? Object.entries(statementsOf(value, `${key} `)) : [];
    }
    return rankOfStatement(plainName(name)) === null ? [] : [[name, value]];
  });
  return Object.fromEntries(pairs);
}

const findFields = createFieldFinder(reviewNames);

function isReview(value: unknown): boolean {
  return hasReviewFields(value) && !isPage(value);
}

/** Whether it has the fields of one; lists have other things, too. */
function hasReviewFields(value: unknown): value is Fields {
  if (!isObject(value)) return false;
  const inner = valueAt(value, "attributes") ?? valueAt(value, "_source");
  const names = Object.keys(isObject(inner) ? { ...value, ...inner } : value);
  const fields = findFields(names);
  const isStored = fields.has("rating") && (fields.has("date") || fields.has("text"));
  // As Google's API has them: the words are one level below.
  return isStored || (fields.has("id") && listAt(value, "comments") !== null);
}

/** Facts about an app, such as its rating, are beside the list of reviews, which alone have ids. */
function isPage(value: Fields): boolean {
  const hasId = (fields: unknown): boolean =>
    isObject(fields) && findFields(Object.keys(fields)).has("id");
  const lists = Object.values(value).filter((part) => Array.isArray(part));
  return !hasId(value) && lists.flat().some((item) => hasId(item) && hasReviewFields(item));
}

/** The App Store Connect API has replies beside the reviews of a page. */
function addReplies(reviews: readonly unknown[], page: Fields): readonly unknown[] {
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
