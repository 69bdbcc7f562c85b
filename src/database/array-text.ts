// Columns of many rows as PostgreSQL's text form of arrays. The driver makes the same of them, but asks
// every single value what it is several times over, which is felt at a million reviews.

type Value = string | number | Date | null;

export function toArrayText(values: readonly Value[]): string {
  let text = "{";
  for (const [index, value] of values.entries()) {
    if (index > 0) text += ",";
    if (value === null) text += "NULL";
    else if (typeof value === "number") text += value;
    else if (typeof value === "string") text += quote(value);
    else text += `"${value.toISOString()}"`;
  }
  return `${text}}`;
}

const needsEscape = /["\\]/;

// Always in quotes: bare, an empty text and the text NULL would be something else.
function quote(value: string): string {
  return needsEscape.test(value) ? `"${value.replace(/["\\]/g, "\\$&")}"` : `"${value}"`;
}
