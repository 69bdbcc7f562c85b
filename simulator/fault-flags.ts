// Which faults are on, for which requests and how often. Tests and the demo change them while the
// simulator runs; where several match, each is applied to the result of the one before.

import type { FaultName } from "./faults.ts";
import type { StoreRequest } from "./store-request.ts";
import type { FaultDetail } from "./store-response.ts";

export type FaultRule = FaultDetail & {
  fault: FaultName;
  /** Which requests; all when left out. */
  when?: Partial<
    Pick<StoreRequest, "kind" | "externalAppId" | "region" | "page" | "format" | "sort" | "agent">
  >;
  /** How many requests; without limit when left out. */
  times?: number;
};

export class FaultFlags {
  #rules: { rule: FaultRule; timesLeft: number }[] = [];

  constructor(rules: readonly FaultRule[] = []) {
    for (const rule of rules) this.enable(rule);
  }

  /** The rules that are on, oldest first. */
  get rules(): FaultRule[] {
    return this.#rules.filter(({ timesLeft }) => timesLeft > 0).map(({ rule }) => rule);
  }

  enable(rule: FaultRule): void {
    this.#rules.push({ rule, timesLeft: rule.times ?? Number.POSITIVE_INFINITY });
  }

  /** Without a name: all faults. */
  disable(fault?: FaultName): void {
    this.#rules = this.#rules.filter(({ rule }) => fault !== undefined && rule.fault !== fault);
  }

  /** The faults that apply to a request, in the order they were switched on; counts down their `times`. */
  consume(request: StoreRequest): FaultRule[] {
    const hits = this.#rules.filter(
      ({ rule, timesLeft }) => timesLeft > 0 && matches(rule, request),
    );
    for (const hit of hits) hit.timesLeft -= 1;
    return hits.map(({ rule }) => rule);
  }
}

function matches({ when = {} }: FaultRule, request: StoreRequest): boolean {
  return Object.entries(when).every(
    ([name, value]) => request[name as keyof typeof when] === value,
  );
}
