// Cuts texts to the lengths that services allow, never through a character that people see.

const segmenter = new Intl.Segmenter(undefined, { granularity: "grapheme" });
const ellipsis = "…";

/** @param lengthMax in UTF-16 code units, as services count; a cut text ends with … */
export function cutText(text: string, lengthMax: number): string {
  if (text.length <= lengthMax) return text;
  if (lengthMax <= 0) return "";
  const kept = text.slice(0, lengthMax);
  // The character that makes room for the ellipsis: the thousands before it need not be looked at.
  const last = segmenter.segment(kept).containing(lengthMax - ellipsis.length);
  return kept.slice(0, last?.index ?? 0).trimEnd() + ellipsis;
}

/** @param bytesMax in UTF-8, as services with a limit for whole messages count; a cut text ends with … */
export function cutBytes(text: string, bytesMax: number): string {
  if (Buffer.byteLength(text) <= bytesMax) return text;
  const keptMax = bytesMax - Buffer.byteLength(ellipsis);
  let cut = "";
  let byteCount = 0;
  for (const { segment } of segmenter.segment(text.slice(0, Math.max(0, keptMax)))) {
    byteCount += Buffer.byteLength(segment);
    if (byteCount > keptMax) break;
    cut += segment;
  }
  return keptMax >= 0 ? cut.trimEnd() + ellipsis : "";
}

/**
 * The text with its special characters escaped, in at most so many characters. Where it does not fit, less of the
 * text is escaped: an escape is never cut in two.
 */
export function cutEscaped(
  text: string,
  { lengthMax, escapeText }: { lengthMax: number; escapeText: (part: string) => string },
): string {
  // Escaping makes nothing shorter: what is beyond the limit can't fit.
  const whole = text.length <= lengthMax ? escapeText(text) : null;
  if (whole !== null && whole.length <= lengthMax) return whole;
  let cut = "";
  for (const { segment } of segmenter.segment(text.slice(0, lengthMax))) {
    const part = escapeText(segment);
    if (cut.length + part.length + ellipsis.length > lengthMax) break;
    cut += part;
  }
  return lengthMax > 0 ? cut.trimEnd() + ellipsis : "";
}

/**
 * Keeps the direction of a text from turning what stands around it in the same line: Unicode's isolates (FSI, PDI),
 * which also end whatever the text leaves open.
 */
export function isolate(text: string): string {
  return /[^\u0020-\u024f]/.test(text) ? `\u2068${text}\u2069` : text;
}
