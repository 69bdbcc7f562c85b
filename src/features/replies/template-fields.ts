// The fields of templates, such as {author}, for the dashboard and the service. People also write { Author }.

export const templateFields = ["author", "app", "version"] as const;
export type TemplateField = (typeof templateFields)[number];

const pattern = new RegExp(`\\{\\s*(${templateFields.join("|")})\\s*\\}`, "gi");

/** The first field of a text, as it was written. A text that still has one is never sent. */
export function findRawField(text: string): string | null {
  return text.match(pattern)?.[0] ?? null;
}

export function findFields(text: string): TemplateField[] {
  const names = [...text.matchAll(pattern)].map(([, name = ""]) => name.toLowerCase());
  return templateFields.filter((field) => names.includes(field));
}

export function fillFields(text: string, values: Readonly<Record<TemplateField, string>>): string {
  const fill = (_: string, name: string) => values[name.toLowerCase() as TemplateField].trim();
  return text.replace(pattern, fill);
}
