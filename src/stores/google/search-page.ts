// Parses Google Play's search page: the one app that the term names exactly, if any, and the list.
import { listAt, textAt, valueAt } from "../../lib/json.ts";
import { appNameMax, sourceText, webUrl } from "../source-text.ts";
import type { StoreApp } from "../store.ts";
import { isPackageName } from "./package-name.ts";
import { blocksOf, fieldAt } from "./page-blocks.ts";

const searchRpcId = "lGYRle";

/** The exact match first. null: no page of search results. */
export function parseSearchPage(html: string): StoreApp[] | null {
  const data = blocksOf(html, searchRpcId).find((block) => listAt(block, 0) !== null);
  if (data === undefined) return null;
  // Without results there are no sections.
  const sections = listAt(data, 0, 1) ?? [];
  const exact = sections.map((section) => parseExactMatch(listAt(section, 23, 16)));
  const listed = sections.flatMap((section) => listAt(section, 22, 0) ?? []).map(parseListed);
  const apps = new Map<string, StoreApp>();
  for (const app of [...exact, ...listed]) {
    if (app !== null && !apps.has(app.externalAppId)) apps.set(app.externalAppId, app);
  }
  return [...apps.values()];
}

/** Has the fields of a details page, with the package name beside them. */
function parseExactMatch(match: unknown[] | null): StoreApp | null {
  const details = listAt(match, 2);
  return toStoreApp({
    id: textAt(fieldAt(match, 11), 0, 0) ?? textAt(fieldAt(details, 77), 0),
    name: valueAt(fieldAt(details, 0), 0),
    icon: valueAt(fieldAt(details, 95), 0, 3, 2),
  });
}

function parseListed(item: unknown): StoreApp | null {
  return toStoreApp({
    id: textAt(item, 0, 0, 0),
    name: valueAt(item, 0, 3),
    icon: valueAt(item, 0, 1, 3, 2),
  });
}

function toStoreApp(raw: { id: string | null; name: unknown; icon: unknown }): StoreApp | null {
  const name = sourceText(raw.name, appNameMax);
  if (raw.id === null || !isPackageName(raw.id) || name === "") return null;
  return { externalAppId: raw.id, name, iconUrl: webUrl(raw.icon) };
}
