// Text of strangers, as a terminal may show it.

// A terminal interprets the first, and the last two turn the direction of what follows.
// biome-ignore lint/suspicious/noControlCharactersInRegex: that is why.
const marks = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g;

/** Tabs and line ends stay. */
export function cleanForTerminal(text: string): string {
  return text.replace(marks, "");
}
