// The ways in which a searched text may be written: many databases know capitals of ASCII letters only.

/** The text itself, and where it has other letters, in lower case, in capitals, and with a capital first. */
export function letterCases(text: string): string[] {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the range of ASCII begins with them.
  if (/^[\u0000-\u007f]*$/.test(text)) return [text];
  const lower = text.toLowerCase();
  const first = lower.charAt(0).toUpperCase() + lower.slice(1);
  return [...new Set([text, lower, text.toUpperCase(), first])];
}
