// Cuts a text in normal form into clauses, in each of which a writer mostly holds one opinion.

/** `end` is exclusive. */
export type Clause = { start: number; end: number };

const turns = [
  "but however although though except",
  "aber jedoch allerdings obwohl",
  "pero aunque sino mas porém contudo embora",
  "mais cependant pourtant malgré",
  "ma però tuttavia",
  "tapi tetapi namun cuma cuman",
  "но однако зато хотя",
  "ama fakat ancak",
  "لكن ولكن بس",
];
const blanklessTurns =
  "けど|けれど|しかし|ですが|だが|でも|但是|但|可是|不过|하지만|그런데|는데|지만";
const separator = new RegExp(
  `[.!?;,…\\n。、،؟]+|(?<![\\p{L}'])(?:${turns.join(" ").replaceAll(" ", "|")})(?![\\p{L}'])|${blanklessTurns}`,
  "gu",
);

export function splitClauses(text: string): Clause[] {
  const clauses: Clause[] = [];
  let start = 0;
  for (const cut of text.matchAll(separator)) {
    if (text.slice(start, cut.index).trim() !== "") clauses.push({ start, end: cut.index });
    start = cut.index + cut[0].length;
  }
  if (text.slice(start).trim() !== "") clauses.push({ start, end: text.length });
  return clauses;
}
