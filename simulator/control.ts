// Remote control of running simulated stores, for programs that started them as a process of their own:
// faults and time. It listens under a path that no store has.
import { parseJson } from "../src/lib/json.ts";
import { minuteMs } from "../src/lib/timestamp.ts";
import { jsonResponse } from "./connect-api.ts";
import type { FaultFlags, FaultRule } from "./fault-flags.ts";
import { type FaultName, faultNames } from "./faults.ts";
import { requestKinds } from "./store-request.ts";
import { errorResponse, type StoreResponse } from "./store-response.ts";

export const controlPath = "/simulator";

export type ControlDeps = {
  faultFlags: FaultFlags;
  requestCount: number;
  now: () => Date;
  /** null where the clock cannot be moved. */
  advance: ((durationMs: number) => void) | null;
};

export function handleControl(
  deps: ControlDeps,
  request: { method: string; url: URL; body: string },
): StoreResponse {
  const { method, url, body } = request;
  switch (`${method} ${url.pathname.slice(controlPath.length)}`) {
    case "GET ":
      return describeState(deps);
    case "POST /switches":
      return enableFault(deps, parseJson(body));
    case "DELETE /switches":
      return disableFault(deps, url.searchParams.get("fault"));
    case "POST /clock":
      return moveClock(deps, parseJson(body));
    default:
      return errorResponse(404, "Not Found");
  }
}

function describeState({ faultFlags: switches, requestCount, now }: ControlDeps): StoreResponse {
  return jsonResponse(200, { now: now().toISOString(), requestCount, switches: switches.rules });
}

function enableFault(deps: ControlDeps, rule: unknown): StoreResponse {
  if (!isFaultRule(rule))
    return badRequest(`a switch is {"fault": one of ${faultNames().join(", ")}}`);
  deps.faultFlags.enable(rule);
  return describeState(deps);
}

function disableFault(deps: ControlDeps, fault: string | null): StoreResponse {
  if (fault !== null && !isFaultName(fault)) return badRequest(`there is no switch ${fault}`);
  deps.faultFlags.disable(fault ?? undefined);
  return describeState(deps);
}

const advanceMsMax = 10 * 365 * 24 * 60 * minuteMs;

function moveClock(deps: ControlDeps, body: unknown): StoreResponse {
  const ms = typeof body === "object" && body !== null && "advanceMs" in body ? body.advanceMs : 0;
  if (!deps.advance || typeof ms !== "number" || !(ms > 0 && ms <= advanceMsMax)) {
    return badRequest('the clock moves forward by {"advanceMs": milliseconds}');
  }
  deps.advance(ms);
  return describeState(deps);
}

function isFaultRule(value: unknown): value is FaultRule {
  if (typeof value !== "object" || value === null || !("fault" in value)) return false;
  const { fault, when = {}, times } = value as Partial<FaultRule>;
  if (!isFaultName(fault) || typeof when !== "object" || when === null) return false;
  if (when.kind !== undefined && !requestKinds.includes(when.kind)) return false;
  return times === undefined || (Number.isSafeInteger(times) && times > 0);
}

function isFaultName(value: unknown): value is FaultName {
  return (faultNames() as unknown[]).includes(value);
}

function badRequest(error: string): StoreResponse {
  return jsonResponse(400, { error });
}
