// Google Play's search page: one block with the app whose name matches exactly, in the shape of a details
// page, and a list of the others.

import { blocksPage, detailsFields } from "./play-details.ts";
import type { SimulatedApp } from "./store-facts.ts";
import type { StoreRequest } from "./store-request.ts";
import { htmlResponse, type StoreResponse } from "./store-response.ts";
import type { StoreState } from "./store-state.ts";

const listedMax = 30;

export function handlePlaySearch(storeState: StoreState, request: StoreRequest): StoreResponse {
  const term = (request.url.searchParams.get("q") ?? "").toLowerCase();
  const words = term.split(/\s+/).filter((word) => word !== "");
  const found = storeState
    .appsNow("googleplay")
    .filter(({ name }) => words.some((word) => name.toLowerCase().includes(word)));
  const exact = found.find(({ name }) => name.toLowerCase() === term);
  const listed = found.filter((app) => app !== exact).slice(0, listedMax);
  const sections = [
    ...(exact ? [sectionAt(23, exactItem(exact))] : []),
    ...(listed.length > 0 ? [sectionAt(22, [listed.map(listedItem)])] : []),
  ];
  const data = [[null, sections.length > 0 ? sections : null]];
  return htmlResponse(200, blocksPage("search", [{ key: "ds:4", rpcId: "lGYRle", data }]));
}

function sectionAt(index: number, content: unknown): unknown[] {
  const section = new Array<unknown>(index + 1).fill(null);
  section[index] = content;
  return section;
}

function exactItem(app: SimulatedApp): unknown[] {
  const item = new Array<unknown>(18).fill(null);
  const fields = detailsFields(app, null);
  fields[77] = null;
  item[16] = [null, null, fields, { "12": [[app.externalAppId, 7]] }];
  return item;
}

function listedItem(app: SimulatedApp): unknown[] {
  const item = new Array<unknown>(15).fill(null);
  item[0] = [app.externalAppId, 7];
  item[1] = [null, 2, [512, 512], [null, null, app.iconUrl]];
  item[3] = app.name;
  item[4] = [["4.2", 4.2]];
  item[14] = app.developer;
  return [item];
}
