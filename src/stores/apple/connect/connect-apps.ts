// Lists the apps that a key of App Store Connect may see, which also shows that the key works.
import { listAt, parseJson, textAt, valueAt } from "../../../lib/json.ts";
import { unexpectedContent } from "../../response-check.ts";
import { appNameMax, sourceText } from "../../source-text.ts";
import type { Fetched, StoreApp } from "../../store.ts";
import type { ConnectClient } from "./connect-client.ts";
import { cursorOf } from "./connect-reviews.ts";
import { connectName } from "./connect-token.ts";

const pageSize = 200;
const pagesMax = 25;

export async function listApps(client: ConnectClient): Promise<Fetched<StoreApp[]>> {
  const apps: StoreApp[] = [];
  let cursor: string | null = null;
  for (let page = 0; page < pagesMax; page += 1) {
    const query = new URLSearchParams({ "fields[apps]": "name,bundleId", limit: String(pageSize) });
    if (cursor !== null) query.set("cursor", cursor);
    const response = await client.get(`/v1/apps?${query}`);
    if (response.kind === "failed") return response.outcome;
    const json = parseJson(response.text);
    const data = listAt(json, "data");
    if (data === null) return unexpectedContent(connectName, "a list of apps");
    apps.push(...data.map(parseApp).filter((app) => app !== null));
    cursor = cursorOf(textAt(json, "links", "next"));
    if (cursor === null) break;
  }
  return apps.length === 0 ? { outcome: "empty" } : { outcome: "ok", value: apps };
}

function parseApp(item: unknown): StoreApp | null {
  const id = textAt(item, "id");
  if (id === null || !/^\d{1,20}$/.test(id)) return null;
  const name = sourceText(valueAt(item, "attributes", "name"), appNameMax);
  return { externalAppId: id, name, iconUrl: "" };
}
