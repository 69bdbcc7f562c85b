// The types of both client libraries, made from the OpenAPI document: of answers, of webhook bodies, of what is written, and of
// the parameters. Other generators need another TypeScript than this one, or make no TypedDict.
import type { Description, Schema } from "../../src/api/description.ts";
import { describeApi } from "../../src/api/openapi.ts";

/** Names of the libraries for schemas that the document names otherwise. */
const names: Readonly<Record<string, string>> = {
  Alert: "AlertEvent",
  AppName: "EventApp",
  ChannelFailing: "ChannelFailingEvent",
  Edits: "ReviewEdits",
  ManagedCredential: "StoreCredential",
  ManagedTopic: "OwnTopic",
  ManagedView: "SavedView",
  Ratings: "RatingSummary",
  ReviewCreated: "ReviewCreatedEvent",
  ReviewRatingDrop: "RatingDropEvent",
  Reviews: "ReviewPage",
  ReviewUpdated: "ReviewUpdatedEvent",
};
/** Answers that the libraries unwrap or describe themselves. */
const left =
  /^(Problem|Apps|Topics|RatingHistory|Releases|Coverage|Rehearsal|Queued|(Saved|Created)\w+)$/;

const nameOf = (id: string): string => names[id] ?? id;
const referenceOf = ({ $ref }: Schema): string | null => $ref?.split("/").at(-1) ?? null;

function listSchemas({ components }: Description): [name: string, schema: Schema][] {
  return Object.entries(components.schemas)
    .filter(([id]) => !left.test(id))
    .map(([id, schema]): [string, Schema] => [nameOf(id), schema])
    .sort(([one], [other]) => (one < other ? -1 : 1));
}

/** The schema without null, and whether it may be null. */
function withoutNull(schema: Schema): { schema: Schema; isNullable: boolean } {
  const [type, other] = [schema.type].flat();
  if (other === "null") return { schema: { ...schema, type: String(type) }, isNullable: true };
  const parts = (schema.anyOf ?? []).filter((part) => part.type !== "null");
  const [only] = parts;
  const isNullable = parts.length < (schema.anyOf?.length ?? 0);
  return only && parts.length === 1 ? { schema: only, isNullable } : { schema, isNullable: false };
}

function valuesOf({ enum: values, const: value }: Schema): readonly unknown[] | null {
  return values?.filter((one) => one !== null) ?? (value === undefined ? null : [value]);
}

type Field = { name: string; schema: Schema; isRequired: boolean; note: string | undefined };

function fieldsOf({ properties = {}, required = [] }: Schema): Field[] {
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    schema,
    isRequired: required.includes(name),
    note: schema.description,
  }));
}

/** The query of one operation as an object. */
function queryOf({ paths }: Description, operationId: string): Schema {
  const operations = Object.values(paths).flatMap((byMethod) => Object.values(byMethod));
  const found = operations.find((operation) => operation.operationId === operationId);
  const parameters = found?.parameters.filter((one) => one.in !== "header") ?? [];
  return {
    properties: Object.fromEntries(
      parameters.map(({ name, schema, description }) => [
        name,
        { ...schema, ...(description !== undefined && { description }) },
      ]),
    ),
    required: parameters.filter(({ required }) => required).map(({ name }) => name),
  };
}

const queries = {
  ListReviewsQuery: "listReviews",
  ExportReviewsQuery: "exportReviews",
  RatingHistoryQuery: "listRatingHistory",
  ChangesQuery: "getChanges",
  OutcomeQuery: "getReplyOutcomes",
  TrendQuery: "getTrends",
  VerdictQuery: "getVerdict",
  EditQuery: "listEdits",
};

const head = "Made from the OpenAPI document by npm run generate";

export function composeTypeScript(): string {
  const description = describeApi({ serverUrl: "", version: "" });
  const types = listSchemas(description).map(
    ([name, schema]) =>
      `${jsDoc(schema.description)}export type ${name} = ${toTypeScript(schema)};`,
  );
  const parameters = Object.entries(queries).map(([name, id]) => {
    const query = toTypeScript(queryOf(description, id), { takesOne: true });
    return `export type ${name} = ${query};`;
  });
  const union = `/** The events that a webhook delivers; \`event\` is the discriminator. */
export type StarpostEvent = ${listEvents(description).join(" | ")};`;
  const unformatted = "// biome-ignore-all format: the lines are as they are written.";
  return `// ${head}\n${unformatted}\n\n${indent([...types, union, ...parameters].join("\n\n"))}\n`;
}

function listEvents({ webhooks }: Description): string[] {
  return Object.values(webhooks).map(({ post }) => {
    const [content] = Object.values(post.requestBody?.content ?? {});
    return nameOf(referenceOf(content?.schema ?? {}) ?? "");
  });
}

function indent(text: string): string {
  let depth = 0;
  return text
    .split("\n")
    .map((line) => {
      if (line.startsWith("}")) depth -= 1;
      const indented = `${"  ".repeat(line === "" ? 0 : depth)}${line}`;
      if (line.endsWith("{")) depth += 1;
      return indented;
    })
    .join("\n");
}

/** @param options.takesOne a list may be written as its only value */
function toTypeScript(whole: Schema, options: { takesOne?: boolean } = {}): string {
  const { schema, isNullable } = withoutNull(whole);
  const reference = referenceOf(schema);
  const values = valuesOf(schema);
  const type = () => {
    if (reference !== null) return nameOf(reference);
    if (values) return values.map((value) => JSON.stringify(value)).join(" | ");
    if (schema.type === "array") {
      const item = toTypeScript(schema.items ?? {});
      const list = /[|{]/.test(item) ? `(${item})[]` : `${item}[]`;
      return options.takesOne ? `${item} | readonly ${list}` : list;
    }
    if (schema.properties) {
      const fields = fieldsOf(schema).map(
        ({ name, schema: field, isRequired, note }) =>
          `${jsDoc(note)}${/^\w+$/.test(name) ? name : JSON.stringify(name)}${isRequired ? "" : "?"}: ${toTypeScript(field, options)}${isRequired ? "" : " | undefined"};`,
      );
      return `{\n${fields.join("\n")}\n}`;
    }
    if (typeof schema.additionalProperties === "object") {
      return `Record<string, ${toTypeScript(schema.additionalProperties)}>`;
    }
    if (schema.type === "object") return "object";
    return (
      { integer: "number", number: "number", boolean: "boolean" }[String(schema.type)] ?? "string"
    );
  };
  return `${type()}${isNullable ? " | null" : ""}`;
}

function jsDoc(note: string | undefined): string {
  return note ? `/** ${note} */\n` : "";
}

export function composePython(): string {
  const description = describeApi({ serverUrl: "", version: "" });
  const classes = new Map<string, string>();
  const all = new Map(listSchemas(description));
  function add(name: string, schema: Schema): string {
    if (classes.has(name)) return name;
    // Python reads the classes in this order: those that it refers to are added first.
    const text = toClass(name, schema, { add, all });
    classes.set(name, text);
    return name;
  }
  for (const [name, schema] of all) {
    // This library reads: there is nothing that it writes.
    if (name === "EventChange" || !isWritten.test(name)) add(name, schema);
  }
  const { properties = {} } = queryOf(description, "listReviews");
  const { limit: _, cursor: __, updatedSince: ___, ...filters } = properties;
  const fields = Object.entries(filters).map(([name, schema]) => {
    const one = toPython(schema.items ?? schema, "", { add, all });
    const type = schema.type === "array" ? `${one} | Sequence[${one}]` : one;
    return `${comment(schema.description)}    ${toSnakeCase(name)}: ${type}`;
  });
  const query = `class ReviewFilters(TypedDict, total=False):
    """Filters are combined with "and"; a list means any of its values. Days are UTC, both inclusive."""

${fields.join("\n")}`;
  const events = listEvents(description);
  const union = `#: The events that a webhook delivers; \`event\` is the discriminator.\nStarpostEvent = ${events.join(" | ")}`;
  return `# ${head}
from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, TypedDict

${[...classes.values(), query, union].join("\n\n\n")}
`;
}

const isWritten =
  /^(Setup|Managed|HttpRequest|LoggedDelivery|OwnTopic|SavedView|StoreCredential)|(Change|Input)$/;

type Types = { add(name: string, schema: Schema): string; all: ReadonlyMap<string, Schema> };

function toClass(name: string, schema: Schema, types: Types): string {
  const values = valuesOf(schema);
  if (values)
    return `${schema.description ? `#: ${schema.description}\n` : ""}${name} = ${literalOf(values)}`;
  const fields = fieldsOf(schema).map((field) => ({
    ...field,
    type: toPython(field.schema, `${name}${capitalise(field.name)}`, types),
  }));
  if (fields.some((field) => !/^[a-z_]\w*$/i.test(field.name) || field.name === "from")) {
    const items = fields.map((field) => `    ${JSON.stringify(field.name)}: ${field.type},`);
    return `${name} = TypedDict(\n    ${JSON.stringify(name)},\n    {\n${items.map((one) => `    ${one}`).join("\n")}\n    },\n)`;
  }
  const write = (some: typeof fields): string =>
    some.map((field) => `${comment(field.note)}    ${field.name}: ${field.type}`).join("\n");
  const doc = schema.description ? `    """${schema.description}"""\n\n` : "";
  const optional = fields.filter((field) => !field.isRequired);
  if (optional.length === 0) return `class ${name}(TypedDict):\n${doc}${write(fields)}`;
  const required = fields.filter((field) => field.isRequired);
  if (required.length === 0)
    return `class ${name}(TypedDict, total=False):\n${doc}${write(optional)}`;
  return `class _Required${name}(TypedDict):\n${write(required)}\n\n\nclass ${name}(_Required${name}, total=False):\n${doc}${write(optional)}`;
}

function toPython(whole: Schema, name: string, types: Types): string {
  const { schema, isNullable } = withoutNull(whole);
  const reference = referenceOf(schema);
  const values = valuesOf(schema);
  const type = (): string => {
    if (reference !== null) {
      const named = nameOf(reference);
      return types.add(named, types.all.get(named) ?? {});
    }
    if (values) return literalOf(values);
    if (schema.type === "array") return `list[${toPython(schema.items ?? {}, name, types)}]`;
    if (schema.properties) return types.add(name, schema);
    if (typeof schema.additionalProperties === "object") {
      return `dict[str, ${toPython(schema.additionalProperties, name, types)}]`;
    }
    return { integer: "int", number: "float", boolean: "bool" }[String(schema.type)] ?? "str";
  };
  return `${type()}${isNullable ? " | None" : ""}`;
}

const literalOf = (values: readonly unknown[]): string =>
  `Literal[${values.map((value) => JSON.stringify(value)).join(", ")}]`;

/** `null` is `None` there. */
const comment = (note: string | undefined): string =>
  note
    ? `    #: ${note
        .replaceAll("`true`", "True")
        .replaceAll("`false`", "False")
        .replace(/\bnull\b/g, "None")}\n`
    : "";

const capitalise = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

const toSnakeCase = (name: string): string =>
  name === "from" ? "from_" : name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
