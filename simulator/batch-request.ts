// Reads a batchexecute call of Google Play: JSON inside a string inside JSON inside a form.
import { parseJson } from "../src/lib/json.ts";
import type { Endpoint, IncomingRequest } from "./store-request.ts";

/** null: not a batchexecute call. */
export function parseBatchRequest({ url, body }: IncomingRequest): Endpoint | null {
  if (url.pathname !== "/_/PlayStoreUi/data/batchexecute") return null;
  const envelope = parseJson(new URLSearchParams(body).get("f.req") ?? "");
  const rpcId = itemAt(envelope, 0, 0, 0);
  const inner = parseJson(String(itemAt(envelope, 0, 0, 1)));
  // One of the two calls has one more leading null than the other.
  const options = itemAt(inner, rpcId === "oCPfdb" ? 1 : 2);
  const app = itemAt(inner, rpcId === "oCPfdb" ? 2 : 3);
  const token = itemAt(options, 2, 2);
  return {
    kind: "play-reviews",
    externalAppId: String(itemAt(app, 0)),
    region: (url.searchParams.get("hl") ?? "en").split("-")[0] ?? "en",
    batch: {
      rpcId: String(rpcId),
      pageSize: Number(itemAt(options, 2, 0)),
      token: typeof token === "string" ? token : null,
    },
  };
}

function itemAt(value: unknown, ...path: number[]): unknown {
  return path.reduce<unknown>((item, index) => (Array.isArray(item) ? item[index] : null), value);
}
