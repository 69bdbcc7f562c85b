// The JSON that Apple's product page carries along, searched by the kind of its nodes because their
// place in the tree moves.
import { parseJson, textAt } from "../json-value.ts";

/** Deeper than any page; a guard against a page made to be walked forever. */
const nodesMax = 500_000;

/** Every node of that kind, at most `countMax`. */
export function nodesOfKind(
  html: string,
  { kind, countMax }: { kind: string; countMax: number },
): unknown[] {
  const tag = html.match(/<script[^>]*id="serialized-server-data"[^>]*>(.*?)<\/script>/s);
  const found: unknown[] = [];
  const waiting: unknown[] = [parseJson(tag?.[1] ?? "")];
  for (let seen = 0; waiting.length > 0 && seen < nodesMax; seen += 1) {
    const node = waiting.pop();
    if (typeof node !== "object" || node === null) continue;
    if (textAt(node, "$kind") === kind && found.push(node) >= countMax) break;
    // The last is taken first: turned round, nodes come in the order of the page.
    waiting.push(...Object.values(node).reverse());
  }
  return found;
}
