// Parses Google Play's search page: the one app that the term names exactly, if any, and the list.
import { isPackageName } from "../../domain/app-link.ts";
import { listAt, textAt, valueAt } from "../../lib/json.ts";
import { googleApp } from "../shapes/google-shapes.ts";
import { readItem } from "../shapes/shape.ts";
import { appNameMax, parseStars, sourceText, webUrl } from "../source-text.ts";
import type { StoreApp } from "../store.ts";
import { blocksOf } from "./page-blocks.ts";

const searchRpcId = "lGYRle";

/** The exact match first. null: no page of search results. */
export function parseSearchPage(html: string): StoreApp[] | null {
  const data = blocksOf(html, searchRpcId).find((block) => listAt(block, 0) !== null);
  if (data === undefined) return null;
  // Without results, the sections are missing.
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
  const app = readItem(googleApp, listAt(match, 2));
  const id = textAt(match, 11, 0, 0) ?? textAt(match?.at(-1), "12", 0, 0) ?? app.packageName;
  return toStoreApp({ ...app, id, rating: app.average });
}

function parseListed(item: unknown): StoreApp | null {
  return toStoreApp({
    id: textAt(item, 0, 0, 0),
    name: valueAt(item, 0, 3),
    icon: valueAt(item, 0, 1, 3, 2),
    developer: valueAt(item, 0, 14),
    rating: valueAt(item, 0, 4, 0, 1),
  });
}

type RawApp = {
  id: string | null;
  name: unknown;
  icon: unknown;
  developer: unknown;
  rating: unknown;
};

function toStoreApp(raw: RawApp): StoreApp | null {
  const name = sourceText(raw.name, appNameMax);
  if (raw.id === null || !isPackageName(raw.id) || name === "") return null;
  const developer = sourceText(raw.developer, appNameMax);
  const rating = parseStars(raw.rating);
  return {
    ...{ externalAppId: raw.id, name, iconUrl: webUrl(raw.icon) },
    ...(developer && { developer }),
    ...(rating !== null && { rating }),
  };
}
