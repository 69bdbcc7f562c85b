// The blocks of data on Google Play's pages. They are numbered anew with every redesign, so a block is
// found by its call.
import { parseJson } from "../../lib/json.ts";

/** The data of every block of this call, in the order of the page's own table. */
export function blocksOf(html: string, rpcId: string): unknown[] {
  return [...html.matchAll(/['"](ds:\d+)['"]\s*:\s*\{\s*id\s*:\s*['"](\w+)['"]/g)]
    .filter(([, , bound]) => bound === rpcId)
    .slice(0, tableMax)
    .map(([, key]) => dataBlocks(html, String(key))[0] ?? null);
}

/** The data of every block, for pages whose table does not name the call. */
export function allBlocks(html: string): unknown[] {
  return dataBlocks(html, "ds:\\d+");
}

const blocksMax = 100;
/** Each of them is looked for in the whole page. */
const tableMax = 10;
/** Between a block's key and its data there is a hash. */
const headMax = 500;

/** @param key of a block, as a regular expression */
function dataBlocks(html: string, key: string): unknown[] {
  const start = new RegExp(
    `AF_initDataCallback\\(\\{\\s*key:\\s*['"]${key}['"].{0,${headMax}}?data:`,
    "gs",
  );
  const found: RegExpExecArray[] = [];
  for (const match of html.matchAll(start)) if (found.push(match) >= blocksMax) break;
  return found.map(({ 0: head, index }) => {
    const end = html.indexOf("</script>", index);
    const block = html.slice(index + head.length, end < 0 ? undefined : end);
    const dataEnd = block.lastIndexOf(", sideChannel:");
    const data = dataEnd < 0 ? withoutEnd(block) : block.slice(0, dataEnd);
    return parseJson(data) ?? null;
  });
}

/** Without the `});` that ends the call. */
function withoutEnd(block: string): string {
  const at = block.lastIndexOf("}");
  return at >= 0 && /^\}\s*\)\s*;?$/.test(block.slice(at).trimEnd()) ? block.slice(0, at) : block;
}
