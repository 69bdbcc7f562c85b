// Fills the blanks of a service's preset with what people enter: a site, a project, an account.
import type { HttpPreset } from "../../../../src/dashboard-api/contract/apps.ts";

/** Blanks whose entry is empty or refused stay as they are, in capitals. */
export function fillPreset(
  { url, fields, request }: HttpPreset,
  values: Readonly<Record<string, string>>,
): Pick<HttpPreset, "url" | "request"> {
  const fill = (text: string, encode: (value: string) => string): string =>
    fields.reduce((filled, field) => {
      const value = readField(field, values[field.blank] ?? "");
      return value === null ? filled : filled.replaceAll(field.blank, () => encode(value));
    }, text);
  // Inside of a string of JSON.
  const body = fill(request.body, (value) => JSON.stringify(value).slice(1, -1));
  return { url: fill(url, encodeURIComponent), request: { ...request, body } };
}

/** The value within an entry such as a pasted address; null for one that the field refuses, such as a token. */
export function readField({ pattern }: { pattern: string }, entry: string): string | null {
  return new RegExp(`^(?:${pattern})$`, "u").exec(entry.trim())?.[1] ?? null;
}

/** Whether people enter no other part of the URL than the fields: some services hand out a whole URL. */
export function isUrlFilled({ url, fields }: HttpPreset): boolean {
  const rest = fields.reduce((left, { blank }) => left.replaceAll(blank, ""), url);
  return !/[A-Z]{3}/.test(rest);
}

export function takesToken({ headers, request }: HttpPreset): boolean {
  return headers.includes("{{token}}") || request.body.includes("{{token}}");
}

/** For some services name and token together, as the header Authorization has them. */
export function toToken(
  { account }: HttpPreset,
  { email, token }: { email: string; token: string },
): string {
  if (!account || token.trim() === "") return token.trim();
  const pair = account.replace("{{email}}", () => email.trim());
  const bytes = new TextEncoder().encode(pair.replace("{{token}}", () => token.trim()));
  return btoa(String.fromCharCode(...bytes));
}
