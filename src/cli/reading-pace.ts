// How fast the stores are read, and how often, as the settings say.
import type { Config } from "../config/config.ts";
import type { ReadingPace } from "../domain/reading-round.ts";

export function paceOf(
  config: Pick<Config, "collectIntervalMinutes" | "collectRequestsPerSecond">,
): ReadingPace {
  return {
    requestsPerSecond: config.collectRequestsPerSecond,
    intervalMinutes: config.collectIntervalMinutes,
  };
}
