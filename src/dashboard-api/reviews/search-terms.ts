// Spellings of a search term: many databases fold the case of ASCII letters only.

/** The text itself; with other than ASCII letters also in lower case, upper case and capitalized. */
export function letterCases(text: string): string[] {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the range of ASCII begins with them.
  if (/^[\u0000-\u007f]*$/.test(text)) return [text];
  const lower = text.toLowerCase();
  const first = lower.charAt(0).toUpperCase() + lower.slice(1);
  return [...new Set([text, lower, text.toUpperCase(), first])];
}
