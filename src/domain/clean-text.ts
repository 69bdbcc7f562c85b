// Makes text from outside storable and harmless without changing what people read.

// All C0 and C1 control characters except tab, line feed and carriage return.
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what this removes.
const controlCharacters = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/g;

/** Lone surrogates become U+FFFD; NUL and other control characters except tab and line ends go. */
export function cleanText(text: string): string {
  return text.replace(controlCharacters, "").toWellFormed();
}
