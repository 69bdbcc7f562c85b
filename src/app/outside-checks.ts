// Checks for `starpost doctor` that talk to systems that the settings name: features add theirs.
import type { Config } from "../config/config.ts";
import type { Clock } from "../lib/clock.ts";
import type { Http } from "../lib/http.ts";

export type OutsideDeps = { config: Config; clock: Clock; http: Http };

/** Resolves to a finding; throws an error whose message says what is wrong. */
export type OutsideCheck = { name: string; run: () => Promise<string> };

/** Lists the checks of systems that are in use. */
export type ListOutsideChecks = (deps: OutsideDeps) => OutsideCheck[];

/** A table. */
export const outsideChecks: (() => Promise<ListOutsideChecks>)[] = [];
