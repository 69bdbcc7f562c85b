// Words at the beginning of a sentence.

export function capitalised(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}
