// A JSON template: valid JSON whose texts hold placeholders such as {{review.text}}. It is parsed before anything is put
// in, and each text is rendered alone, so no value can leave its text. The language of placeholders is Mustache's.
import Mustache from "mustache";
import { parseJson } from "./json.ts";

/** The value of each placeholder, by its name with dots; "" where there is none. */
export type TemplateValues = Readonly<Record<string, string>>;

export type Rendered = { ok: true; value: unknown } | { ok: false; fault: string };

const templateLengthMax = 20_000;
/** Lists, objects and placeholders: the depth of the template, too, has this limit. */
const bracketsMax = 400;
/** Each can put in a text of the longest kind. */
const placeholdersMax = 100;
const outputLengthMax = 200_000;

// Without a cache: it would keep every text that was ever tried.
const writer = new Mustache.Writer();
Object.assign(writer, { templateCache: undefined });

/** Refuses names that `values` doesn't have, so that nothing but these texts can be looked up. */
export function renderJsonTemplate(template: string, values: TemplateValues): Rendered {
  if (template.length > templateLengthMax)
    return refuse(`is longer than ${templateLengthMax} characters`);
  const parsed = parseJson(template, bracketsMax);
  if (typeof parsed !== "object" || parsed === null) return refuse("is not a JSON object");
  const fault = findFault(parsed, values);
  if (fault !== null) return refuse(fault);
  const view = toView(values);
  let length = 0;
  const value = mapTexts(parsed, (text) => {
    const rendered = text.includes("{{")
      ? writer.render(text, view, undefined, { escape: String })
      : text;
    length += rendered.length;
    return rendered;
  });
  return length > outputLengthMax
    ? refuse(`makes more than ${outputLengthMax} characters`)
    : { ok: true, value };
}

/** Whether a valid template puts in the value of this name anywhere. */
export function namesPlaceholder(template: string, name: string): boolean {
  return listPlaceholders(parseJson(template, bracketsMax)).some((one) => one.name === name);
}

function findFault(template: object, values: TemplateValues): string | null {
  try {
    const placeholders = listPlaceholders(template);
    if (placeholders.length > placeholdersMax)
      return `has more than ${placeholdersMax} placeholders`;
    const unusable = placeholders.find(({ kind }) => !"name&#^".includes(kind));
    if (unusable) return `can't have {{${unusable.kind}${unusable.name}}}`;
    const unknown = placeholders.find(({ name }) => !Object.hasOwn(values, name));
    return unknown ? describeUnknown(unknown.name, values) : null;
  } catch (error) {
    // Mustache says where a section has no end.
    return error instanceof Error ? error.message : String(error);
  }
}

type Placeholder = { kind: string; name: string };

/** @throws Error of Mustache for a text that it can't read */
function listPlaceholders(template: unknown): Placeholder[] {
  const found: Placeholder[] = [];
  const collect = (tokens: readonly Token[]): void => {
    for (const [kind, name, , , children] of tokens) {
      if (kind === "text" || kind === "!") continue;
      found.push({ kind, name });
      if (Array.isArray(children)) collect(children);
    }
  };
  mapTexts(template, (text) => {
    assertTags(text);
    collect(writer.parse(text) as Token[]);
    return text;
  });
  return found;
}

const tagLengthMax = 100;

/**
 * Mustache looks for the end of a tag with an expression that takes the square of the spaces before it, so that each tag
 * must be short, and none may change what a tag is.
 *
 * @throws Error
 */
function assertTags(text: string): void {
  for (let at = text.indexOf("{{"); at !== -1; at = text.indexOf("{{", at)) {
    const kind = text
      .slice(at + 2, at + tagLengthMax)
      .trimStart()
      .charAt(0);
    if (kind === "=") throw new Error("can't have {{=");
    const close = kind === "{" ? "}}}" : "}}";
    const end = text.indexOf(close, at);
    if (end === -1 || end - at > tagLengthMax) {
      throw new Error(`has a {{ without ${close} in the next ${tagLengthMax} characters`);
    }
    at = end + close.length;
  }
}

type Token = [kind: string, name: string, start: number, end: number, children?: Token[]];

function describeUnknown(name: string, values: TemplateValues): string {
  return `names {{${name.slice(0, 60)}}}; there are ${Object.keys(values).join(", ")}`;
}

function mapTexts(value: unknown, map: (text: string) => string): unknown {
  if (typeof value === "string") return map(value);
  if (Array.isArray(value)) return value.map((one) => mapTexts(one, map));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, mapTexts(one, map)]));
}

/** Mustache looks for `a.b` in an object `a`. */
function toView(values: TemplateValues): Record<string, unknown> {
  const view: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(values)) {
    const [first = "", second] = name.split(".");
    if (second === undefined) view[first] = value;
    else view[first] = { ...(view[first] as object | undefined), [second]: value };
  }
  return view;
}

function refuse(fault: string): Rendered {
  return { ok: false, fault };
}
