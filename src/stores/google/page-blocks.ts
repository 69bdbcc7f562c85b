// The blocks of data on Google Play's pages. They are numbered anew with every redesign, so a block is
// found by its call.
import { parseJson, valueAt } from "../../lib/json.ts";

/** The data of every block of this call, in the order of the page's own table. */
export function blocksOf(html: string, rpcId: string): unknown[] {
  return [...html.matchAll(/['"](ds:\d+)['"]\s*:\s*\{\s*id\s*:\s*['"](\w+)['"]/g)]
    .filter(([, , bound]) => bound === rpcId)
    .map(([, key]) => dataBlocks(html, String(key))[0] ?? null);
}

/** The data of every block, for pages whose table does not name the call. */
export function allBlocks(html: string): unknown[] {
  return dataBlocks(html, "ds:\\d+");
}

const blocksMax = 100;

/** @param key of a block, as a regular expression */
function dataBlocks(html: string, key: string): unknown[] {
  const start = new RegExp(`AF_initDataCallback\\(\\{\\s*key:\\s*['"]${key}['"].*?data:`, "gs");
  return [...html.matchAll(start)].slice(0, blocksMax).map(({ 0: head, index }) => {
    const end = html.indexOf("</script>", index);
    const block = html.slice(index + head.length, end < 0 ? undefined : end);
    const dataEnd = block.lastIndexOf(", sideChannel:");
    const data = dataEnd < 0 ? block.replace(/\}\s*\)\s*;?\s*$/, "") : block.slice(0, dataEnd);
    return parseJson(data) ?? null;
  });
}

/** Newer pages move fields into an object at the end, where field n has the name n + 1. */
export function fieldAt(fields: readonly unknown[] | null, number: number): unknown {
  return valueAt(fields, number) ?? valueAt(fields?.at(-1), String(number + 1));
}
