// Splits a normalized text into clauses, each of which mostly expresses one sentiment.

/** `end` is exclusive. */
export type Clause = { start: number; end: number };

/** By the text alone, from -1 to 1. */
export type ScoredClause = Clause & { score: number };

const contrastWords = [
  "but however although though except otherwise whereas nevertheless that_said",
  "aber jedoch allerdings obwohl dafür bloß dennoch trotzdem hingegen ansonsten nur_dass",
  "pero aunque sino mas porém contudo embora só_que sin_embargo no_obstante excepto no_entanto entretanto apesar",
  "mais cependant pourtant malgré sauf par_contre en_revanche toutefois néanmoins",
  "ma però peró tuttavia invece eppure tranne se_non_fosse",
  "tapi tetapi namun cuma cuman sayangnya hanya_saja padahal walaupun meskipun",
  "но однако зато хотя только_вот тем_не_менее если_бы_не",
  "ama fakat ancak lakin yalnız yine_de buna_rağmen gel_gelelim gelgelelim ne_var_ki",
  "nhưng song tuy thế_nhưng tiếc_là mỗi_tội chỉ_tội có_tội có_điều còn_lại mặc_dù được_cái đc_cái",
  "لكن ولكن بس غير_ان الا_ان رغم مع_ان",
  "ولی ولي اما ولیکن منتها",
  "maar hoewel echter behalve daarentegen",
  "ale jednak choć chociaż natomiast tylko_że",
  "але проте однак хоча зате от_тільки",
  "mutta vaikka kuitenkin",
  "však ačkoli jenže akorát ovšem",
  "men däremot tyvärr dock desværre dessverre fast_att",
  "însă insa totuși totusi deși desi numai_că",
  "viszont azonban csakhogy ugyanakkor",
  "αλλά αλλα όμως ομως ωστόσο μόνο_που παρόλο",
  "אבל אך אולם למרות רק_ש",
  "लेकिन मगर परंतु किन्तु हालांकि lekin magar",
  "pero kaso ngunit subalit kaya_lang kayalang",
];
const unspacedContrastWords =
  "けど|けれど|しかし|ですが|だが|でも|ただし|なのに|それなのに|肝心の|但是|但|可是|不过|可惜|唯独|然而|就是|只是|하지만|그런데|근데|는데|지만|다만|แต่|美中不足|은데|, dar |, de (?:nem|sajnos|az|ha|így|túl|most|néha|sok|egy|azóta|mióta) ";
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
