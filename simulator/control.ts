// The remote control of running simulated stores: switches and time, for programs that started them as a
// process of their own. It listens beside the stores, under a path that no store has.
import { minuteMs } from "../src/lib/timestamp.ts";
import { type Answer, errorPage } from "./answer.ts";
import { jsonAnswer } from "./connect-api.ts";
import { type FaultName, faultNames } from "./faults.ts";
import { requestKinds } from "./store-request.ts";
import type { Switches, SwitchRule } from "./switches.ts";

export const controlPath = "/simulator";

export type Controlled = {
  switches: Switches;
  requestCount: number;
  now: () => Date;
  /** null where the clock can't be moved. */
  advance: ((durationMs: number) => void) | null;
};

export function answerControl(
  controlled: Controlled,
  asked: { method: string; url: URL; body: string },
): Answer {
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
      return errorPage(404, "Not Found");
  }
}

function tell({ switches, requestCount, now }: Controlled): Answer {
  return jsonAnswer(200, { now: now().toISOString(), requestCount, switches: switches.rules });
}

function switchOn(controlled: Controlled, rule: unknown): Answer {
  if (!isRule(rule)) return refuse(`a switch is {"fault": one of ${faultNames().join(", ")}}`);
  controlled.switches.on(rule);
  return tell(controlled);
}

function switchOff(controlled: Controlled, fault: string | null): Answer {
  if (fault !== null && !isFault(fault)) return refuse(`there is no switch ${fault}`);
  controlled.switches.off(fault ?? undefined);
  return tell(controlled);
}

const advanceMsMax = 10 * 365 * 24 * 60 * minuteMs;

function moveClock(controlled: Controlled, stated: unknown): Answer {
  const ms =
    typeof stated === "object" && stated !== null && "advanceMs" in stated ? stated.advanceMs : 0;
  if (!controlled.advance || typeof ms !== "number" || !(ms > 0 && ms <= advanceMsMax)) {
    return refuse('the clock moves forward by {"advanceMs": milliseconds}');
  }
  controlled.advance(ms);
  return tell(controlled);
}

function isRule(value: unknown): value is SwitchRule {
  if (typeof value !== "object" || value === null || !("fault" in value)) return false;
  const { fault, when = {}, times } = value as Partial<SwitchRule>;
  if (!isFault(fault) || typeof when !== "object" || when === null) return false;
  if (when.kind !== undefined && !requestKinds.includes(when.kind)) return false;
  return times === undefined || (Number.isSafeInteger(times) && times > 0);
}

function isFault(value: unknown): value is FaultName {
  return (faultNames() as unknown[]).includes(value);
}

function refuse(error: string): Answer {
  return jsonAnswer(400, { error });
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // Whatever it was, it is no order.
    return null;
  }
}
