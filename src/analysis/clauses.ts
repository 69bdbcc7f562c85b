// Splits a normalized text into clauses, each of which mostly expresses one sentiment.

/** `end` is exclusive. */
export type Clause = { start: number; end: number };

const contrastWords = [
  "but however although though except",
  "aber jedoch allerdings obwohl",
  "pero aunque sino mas porém contudo embora",
  "mais cependant pourtant malgré",
  "ma però tuttavia",
  "tapi tetapi namun cuma cuman",
  "но однако зато хотя",
  "ama fakat ancak",
  "nhưng song tuy mỗi_tội chỉ_tội có_tội có_điều còn_lại mặc_dù được_cái đc_cái",
  "لكن ولكن بس",
];
const unspacedContrastWords =
  "けど|けれど|しかし|ですが|だが|でも|但是|但|可是|不过|하지만|그런데|는데|지만";
const separator = new RegExp(
  `[.!?;,…\\n。、،؟]+|(?<![\\p{L}'])(?:${contrastWords.join(" ").replaceAll(" ", "|").replaceAll("_", " ")})(?![\\p{L}'])|${unspacedContrastWords}`,
  "gu",
);

export function splitClauses(text: string): Clause[] {
  const clauses: Clause[] = [];
  let start = 0;
  for (const boundary of text.matchAll(separator)) {
    if (text.slice(start, boundary.index).trim() !== "")
      clauses.push({ start, end: boundary.index });
    start = boundary.index + boundary[0].length;
  }
  if (text.slice(start).trim() !== "") clauses.push({ start, end: text.length });
  return clauses;
}
