// Splits a normalized text into clauses, each of which mostly expresses one sentiment.

/** `end` is exclusive. */
export type Clause = { start: number; end: number };

const contrastWords = [
  "but however although though except",
  "aber jedoch allerdings obwohl dafür bloß",
  "pero aunque sino mas porém contudo embora só_que",
  "mais cependant pourtant malgré",
  "ma però tuttavia invece",
  "tapi tetapi namun cuma cuman sayangnya hanya_saja",
  "но однако зато хотя",
  "ama fakat ancak lakin yalnız gel_gelelim gelgelelim ne_var_ki",
  "nhưng song tuy mỗi_tội chỉ_tội có_tội có_điều còn_lại mặc_dù được_cái đc_cái",
  "لكن ولكن بس غير_ان",
  "ولی اما",
  "maar hoewel",
  "ale jednak choć chociaż",
  "але проте однак хоча зате от_тільки",
  "mutta vaikka",
  "však ačkoli jenže akorát ovšem",
  "däremot tyvärr",
  "însă insa",
  "viszont",
  "αλλά αλλα όμως ομως",
  "אבל אך",
  "लेकिन मगर परंतु",
  "pero kaso ngunit",
];
const unspacedContrastWords =
  "けど|けれど|しかし|ですが|だが|でも|ただし|なのに|それなのに|肝心の|但是|但|可是|不过|可惜|唯独|然而|就是|只是|하지만|그런데|근데|는데|지만|다만|แต่";
const contrastSource = `(?<![\\p{L}'])(?:${contrastWords.join(" ").replaceAll(" ", "|").replaceAll("_", " ")})(?![\\p{L}'])|${unspacedContrastWords}`;
const separatorSource = `[.!?;,…\\n。、،؟।]+|${contrastSource}`;
/** A word like "but". */
export const contrast = new RegExp(contrastSource, "u");
const separator = new RegExp(separatorSource, "gu");
/** Where one clause ends and another begins. */
export const clauseEnd = new RegExp(separatorSource, "u");

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
