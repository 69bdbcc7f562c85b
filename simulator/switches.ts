// Which faults are on, for which requests and how often. Tests and the demo flip them while the
// simulator runs; where several match, each spoils what the one before left.
import type { FaultDetail, FaultName } from "./faults.ts";
import type { StoreRequest } from "./store-request.ts";

export type SwitchRule = FaultDetail & {
  fault: FaultName;
  /** Everything when left out. */
  when?: Partial<
    Pick<StoreRequest, "kind" | "externalAppId" | "region" | "page" | "format" | "sort" | "agent">
  >;
  /** How many requests are hit; all when left out. */
  times?: number;
};

export class Switches {
  #rules: { rule: SwitchRule; left: number }[] = [];

  constructor(rules: readonly SwitchRule[] = []) {
    for (const rule of rules) this.on(rule);
  }

  /** Those that are on, oldest first. */
  get rules(): SwitchRule[] {
    return this.#rules.filter(({ left }) => left > 0).map(({ rule }) => rule);
  }

  on(rule: SwitchRule): void {
    this.#rules.push({ rule, left: rule.times ?? Number.POSITIVE_INFINITY });
  }

  /** Without a name: all of them. */
  off(fault?: FaultName): void {
    this.#rules = this.#rules.filter(({ rule }) => fault !== undefined && rule.fault !== fault);
  }

  /** The faults that hit a request, in the order they were switched on; uses up their `times`. */
  take(request: StoreRequest): SwitchRule[] {
    const hits = this.#rules.filter(({ rule, left }) => left > 0 && matches(rule, request));
    for (const hit of hits) hit.left -= 1;
    return hits.map(({ rule }) => rule);
  }
}

function matches({ when = {} }: SwitchRule, request: StoreRequest): boolean {
  return Object.entries(when).every(
    ([name, wanted]) => request[name as keyof typeof when] === wanted,
  );
}
