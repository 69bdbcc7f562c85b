// The remote control of running simulated stores: switches and time, for programs that started them as a
// process of their own. It listens beside the stores, under a path that no store has.
import { minuteMs } from "../src/lib/timestamp.ts";
import { jsonResponse } from "./connect-api.ts";
import type { FaultFlags, FaultRule } from "./fault-flags.ts";
import { type FaultName, faultNames } from "./faults.ts";
import { requestKinds } from "./store-request.ts";
import { errorResponse, type StoreResponse } from "./store-response.ts";

export const controlPath = "/simulator";

export type ControlDeps = {
  switches: FaultFlags;
  requestCount: number;
  now: () => Date;
  /** null where the clock can't be moved. */
  advance: ((durationMs: number) => void) | null;
};

export function handleControl(
  controlled: ControlDeps,
  asked: { method: string; url: URL; body: string },
): StoreResponse {
  const { method, url, body } = asked;
  switch (`${method} ${url.pathname.slice(controlPath.length)}`) {
    case "GET ":
      return tell(controlled);
    case "POST /switches":
      return switchOn(controlled, parseJson(body));
    case "DELETE /switches":
      return switchOff(controlled, url.searchParams.get("fault"));
    case "POST /clock":
      return moveClock(controlled, parseJson(body));
    default:
      return errorResponse(404, "Not Found");
  }
}

function tell({ switches, requestCount, now }: ControlDeps): StoreResponse {
  return jsonResponse(200, { now: now().toISOString(), requestCount, switches: switches.rules });
}

function switchOn(controlled: ControlDeps, rule: unknown): StoreResponse {
  if (!isRule(rule)) return refuse(`a switch is {"fault": one of ${faultNames().join(", ")}}`);
  controlled.switches.enable(rule);
  return tell(controlled);
}

function switchOff(controlled: ControlDeps, fault: string | null): StoreResponse {
  if (fault !== null && !isFault(fault)) return refuse(`there is no switch ${fault}`);
  controlled.switches.disable(fault ?? undefined);
  return tell(controlled);
}

const advanceMsMax = 10 * 365 * 24 * 60 * minuteMs;

function moveClock(controlled: ControlDeps, stated: unknown): StoreResponse {
  const ms =
    typeof stated === "object" && stated !== null && "advanceMs" in stated ? stated.advanceMs : 0;
  if (!controlled.advance || typeof ms !== "number" || !(ms > 0 && ms <= advanceMsMax)) {
    return refuse('the clock moves forward by {"advanceMs": milliseconds}');
  }
  controlled.advance(ms);
  return tell(controlled);
}

function isRule(value: unknown): value is FaultRule {
  if (typeof value !== "object" || value === null || !("fault" in value)) return false;
  const { fault, when = {}, times } = value as Partial<FaultRule>;
  if (!isFault(fault) || typeof when !== "object" || when === null) return false;
  if (when.kind !== undefined && !requestKinds.includes(when.kind)) return false;
  return times === undefined || (Number.isSafeInteger(times) && times > 0);
}

function isFault(value: unknown): value is FaultName {
  return (faultNames() as unknown[]).includes(value);
}

function refuse(error: string): StoreResponse {
  return jsonResponse(400, { error });
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // Whatever it was, it is no order.
    return null;
  }
}
