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
    const rendered = writer.render(text, view, undefined, { escape: String });
    length += rendered.length;
    return rendered;
  });
  return length > outputLengthMax
    ? refuse(`makes more than ${outputLengthMax} characters`)
    : { ok: true, value };
}

function findFault(template: object, values: TemplateValues): string | null {
  let count = 0;
  let fault: string | null = null;
  const check = (tokens: readonly Token[]): void => {
    for (const [kind, name, , , children] of tokens) {
      if (kind === "text" || kind === "!") continue;
      count += 1;
      if (!"name&#^".includes(kind)) fault ??= `can't have {{${kind}${name}}}`;
      else if (!Object.hasOwn(values, name)) fault ??= describeUnknown(name, values);
      if (Array.isArray(children)) check(children);
    }
  };
  mapTexts(template, (text) => {
    try {
      check(writer.parse(text) as Token[]);
    } catch (error) {
      // Mustache says where a section has no end.
      fault ??= error instanceof Error ? error.message : String(error);
    }
    return text;
  });
  return count > placeholdersMax ? `has more than ${placeholdersMax} placeholders` : fault;
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
