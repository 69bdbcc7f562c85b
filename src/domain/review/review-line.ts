// A review in one line, as lists of commands, feeds and e-mails show it.

export function drawStars(rating: number): string {
  return "★".repeat(rating) + "☆".repeat(5 - rating);
}

/** Title and text. */
export function toReviewLine(
  { title, text }: { title: string | null; text: string },
  lengthMax: number,
): string {
  const words = [title, text].filter(Boolean).join(": ").replace(/\s+/g, " ").trim();
  return cutLine(words || "No text", lengthMax);
}

/** Never cut inside of a character. */
export function cutLine(line: string, lengthMax: number): string {
  if (line.length <= lengthMax) return line;
  const start = line.slice(0, lengthMax - 1).toWellFormed();
  return `${start.replace(/\ufffd$/, "")}…`;
}
