// Changes of the stores' layouts: fields that move, take another form or show something else, lists that move, are cut or doubled.
import { appleChanges } from "./apple-layout-changes.ts";
import { googleChanges } from "./google-layout-changes.ts";
import { asItems, type Entry, type Items, type LayoutChange } from "./layout-change.ts";

export const layoutChanges: readonly LayoutChange[] = [...googleChanges, ...appleChanges];

/** The answer of a store after the change; other answers stay as they are. */
export function changeBody(change: LayoutChange, url: string, body: string): string {
  if (change.store === "googleplay")
    return url.includes("batchexecute") ? changeFrames(change, body) : body;
  if (url.includes("/rss/customerreviews/") && url.includes("/json"))
    return changeFeed(change, body);
  return change.text?.(body, url) ?? body;
}

function changeFrames(change: LayoutChange, body: string): string {
  const start = body.indexOf("[[");
  const frames = JSON.parse(body.slice(start)) as Items[];
  const changed = frames.map(([type, name, json, ...rest]) => {
    if (type !== "wrb.fr" || typeof json !== "string") return [type, name, json, ...rest];
    const [list, ...others] = JSON.parse(json) as [Items[], ...Items];
    const items = list.map((item, index) => change.item?.(item as Items & Entry, index) ?? item);
    const payload = [change.list?.(items) ?? items, ...others];
    return [
      type,
      name,
      JSON.stringify(change.payload?.(payload as Items & Entry) ?? payload),
      ...rest,
    ];
  });
  return body.slice(0, start) + JSON.stringify(changed);
}

function changeFeed(change: LayoutChange, body: string): string {
  const { feed } = JSON.parse(body) as { feed: Entry };
  const { entry } = feed;
  const entries = Array.isArray(entry) ? entry : entry === undefined ? [] : [entry];
  const items = entries.map((one, index) => change.item?.(one as Items & Entry, index) ?? one);
  const list = asItems(change.list?.(items) ?? items);
  const changed = { feed: { ...feed, ...(list.length > 0 ? { entry: list } : {}) } };
  if (list.length === 0) Reflect.deleteProperty(changed.feed, "entry");
  return JSON.stringify(change.payload?.(changed as unknown as Items & Entry) ?? changed);
}
