// The JSON inside Apple's product page. Nodes are found by their kind, because their place in the tree
// changes.
import { parseJson, textAt } from "../../lib/json.ts";
import { findScript } from "../html-scan.ts";

/** More than any page has; a bound for one that was made to take forever. */
const nodesMax = 500_000;

/** Every node of that kind, at most `countMax`. */
export function nodesOfKind(
  html: string,
  { kind, countMax }: { kind: string; countMax: number },
): unknown[] {
  const found: unknown[] = [];
  const stack: unknown[] = [parseJson(findScript(html, "serialized-server-data") ?? "")];
  for (let seen = 0; stack.length > 0 && seen < nodesMax; seen += 1) {
    const node = stack.pop();
    if (typeof node !== "object" || node === null) continue;
    if (textAt(node, "$kind") === kind && found.push(node) >= countMax) break;
    // A stack: reversed, so that nodes come out in the order of the page.
    for (const value of Object.values(node).reverse()) stack.push(value);
  }
  return found;
}
