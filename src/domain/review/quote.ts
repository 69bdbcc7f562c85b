// A review in one line: the one that says best what many say, and as much of its text as fits.

const quoteUnitsMax = 280;
/** Shorter texts are cries, longer ones lose their end. */
const quoteUnits = { min: 25, best: 160 };

/** One line; cut between words, and never inside of a character. */
export function shorten(source: string): string {
  const text = source.replace(/\s+/g, " ").trim();
  if (text.length <= quoteUnitsMax) return text;
  const head = text
    .slice(0, quoteUnitsMax - 1)
    .toWellFormed()
    .replace(/\ufffd$/, "");
  const space = head.lastIndexOf(" ");
  return `${space > quoteUnitsMax / 2 ? head.slice(0, space) : head}…`;
}

/** The review that fits a line best; undefined if none says enough. */
export function chooseQuoted<Review extends { text: string }>(
  reviews: readonly Review[],
): Review | undefined {
  const distance = ({ text }: Review): number => Math.abs(text.length - quoteUnits.best);
  return reviews
    .filter(({ text }) => text.trim().length >= quoteUnits.min)
    .sort((one, other) => distance(one) - distance(other))[0];
}
