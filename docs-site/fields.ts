// Tables of parameters and fields on the reference page: one row per field, nested ones by their path.
import {
  type Description,
  type Operation,
  resolveResponse,
  resolveSchema,
  type Schema,
} from "../src/api/description.ts";
import { escapeHtml, renderInline } from "./markdown.ts";

type Row = { name: string; type: string; note: string };

export function renderParameters(
  description: Description,
  operation: Operation,
  places: readonly string[],
): string {
  const rows = (operation.parameters ?? [])
    .filter((parameter) => places.includes(parameter.in))
    .map(({ name, required, description: own, schema = {} }) => ({
      name,
      type: `${typeOf(description, schema)}${required ? ", required" : ""}`,
      note: [own ?? schema.description, noteOn(description, schema)].filter(Boolean).join(" "),
    }));
  return renderTable(rows);
}

export function renderStatuses(description: Description, { responses }: Operation): string {
  const rows = Object.entries(responses).map(([name, response]) => ({
    name,
    type: "",
    note: resolveResponse(description, response).description ?? "",
  }));
  return renderTable(rows);
}

export function renderFields(description: Description, schema: Schema): string {
  return renderTable(listFields(description, schema, ""));
}

function listFields(description: Description, field: Schema, path: string): Row[] {
  const schema = resolveSchema(description, field);
  if (schema.items) return listFields(description, schema.items, `${path}[]`);
  return Object.entries(schema.properties ?? {}).flatMap(([name, field]) => {
    const at = path ? `${path}.${name}` : name;
    const resolved = resolveSchema(description, field);
    // A field's own description comes before that of its type.
    const note = [field.description ?? resolved.description, noteOn(description, resolved)];
    return [
      { name: at, type: typeOf(description, resolved), note: note.filter(Boolean).join(" ") },
      ...listFields(description, resolved, at),
    ];
  });
}

function typeOf(description: Description, schema: Schema): string {
  const types = partsOf(description, schema).flatMap(({ type = "string", items }) =>
    items ? [`list of ${typeOf(description, items)}`] : type,
  );
  return [...new Set(types)].join(" or ");
}

/** The alternatives of a value; one that may be null is of two. */
function partsOf(description: Description, field: Schema): Schema[] {
  const schema = resolveSchema(description, field);
  const alternatives = schema.properties ? undefined : schema.anyOf;
  return alternatives?.flatMap((one) => partsOf(description, one)) ?? [schema];
}

/** The values that are allowed, also of the items of a list. */
function listValues(description: Description, schema: Schema): (string | number)[] {
  return partsOf(description, schema).flatMap((part) => [
    ...(part.enum ?? []),
    ...(part.const === undefined ? [] : [part.const]),
    ...(part.items ? listValues(description, part.items) : []),
  ]);
}

function noteOn(description: Description, schema: Schema): string {
  const notes: string[] = [];
  const names = listValues(description, schema).map((name) => `\`${name}\``);
  const isList = partsOf(description, schema).some(({ items }) => items !== undefined);
  if (names.length > 0) {
    const words = isList ? "Each is one of" : names.length > 1 ? "One of" : "Always";
    notes.push(`${words} ${[...new Set(names)].join(", ")}.`);
  }
  if (schema.type === "integer" && schema.minimum !== undefined && schema.maximum !== undefined) {
    if (schema.maximum < Number.MAX_SAFE_INTEGER) {
      notes.push(`${schema.minimum} to ${schema.maximum}.`);
    }
  }
  if (schema.maxLength !== undefined) notes.push(`At most ${schema.maxLength} characters.`);
  if (schema.default !== undefined) notes.push(`Default \`${schema.default}\`.`);
  if (schema.type === "string" && schema.format === "date") notes.push("`YYYY-MM-DD`.");
  return notes.join(" ");
}

function renderTable(rows: readonly Row[]): string {
  if (rows.length === 0) return "";
  const body = rows.map(
    ({ name, type, note }) =>
      `<tr><th scope="row"><code>${escapeHtml(name)}</code></th>` +
      `<td class="type">${escapeHtml(type)}</td><td>${renderInline(note)}</td></tr>`,
  );
  return `<div class="scroll" tabindex="0"><table>${body.join("")}</table></div>`;
}
