// The simulated stores without sockets: three days of one request a second are half a million requests.
import { ApiAuth } from "../../simulator/api-auth.ts";
import { respondFrom } from "../../simulator/simulator.ts";
import { parseStoreRequest } from "../../simulator/store-request.ts";
import type { StoreState } from "../../simulator/store-state.ts";
import type { Clock } from "../../src/lib/clock.ts";
import type { Http } from "../../src/lib/http.ts";

export function createDirectHttp({
  storeState,
  clock,
}: {
  storeState: StoreState;
  clock: Clock;
}): Http {
  const apiAuth = new ApiAuth(clock);
  return async ({ method, url, headers = {}, body = "" }) => {
    const request = parseStoreRequest({ method, url: new URL(url), headers, body });
    if (!request) throw new Error(`the simulated stores have no ${url}`);
    const response = await respondFrom({ storeState, apiAuth }, request);
    const bytes = response.bytes ?? Buffer.from(response.body);
    return {
      kind: "response",
      status: response.status,
      headers: response.headers,
      body: bytes,
      url,
    };
  };
}
