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

export function renderParameters(operation: Operation, places: readonly string[]): string {
  const rows = (operation.parameters ?? [])
    .filter((parameter) => places.includes(parameter.in))
    .map(({ name, required, description, schema = {} }) => ({
      name,
      type: `${typeOf(schema)}${required ? ", required" : ""}`,
      note: [description ?? schema.description, noteOn(schema)].filter(Boolean).join(" "),
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
    const note = [field.description ?? resolved.description, noteOn(resolved)];
    return [
      { name: at, type: typeOf(resolved), note: note.filter(Boolean).join(" ") },
      ...listFields(description, resolved, at),
    ];
  });
}

function typeOf(schema: Schema): string {
  const isWrappedNull = schema.anyOf?.some((part) => part.type === "null");
  const types = [schema.type ?? "string", isWrappedNull ? "null" : []].flat();
  return [...new Set(types)].join(" or ");
}

function noteOn(schema: Schema): string {
  const notes: string[] = [];
  const names = (schema.enum ?? []).map((name) => `\`${name}\``);
  if (names.length > 0)
    notes.push(`${names.length > 1 ? "One of" : "Always"} ${names.join(", ")}.`);
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
