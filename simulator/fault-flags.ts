// Which faults are on, for which requests and how often. Tests and the demo flip them while the
// simulator runs; where several match, each spoils what the one before left.
import type { FaultDetail, FaultName } from "./faults.ts";
import type { StoreRequest } from "./store-request.ts";

export type FaultRule = FaultDetail & {
  fault: FaultName;
  /** Everything when left out. */
  when?: Partial<
    Pick<StoreRequest, "kind" | "externalAppId" | "region" | "page" | "format" | "sort" | "agent">
  >;
  /** How many requests are hit; all when left out. */
  times?: number;
};

export class FaultFlags {
  #rules: { rule: FaultRule; left: number }[] = [];

  constructor(rules: readonly FaultRule[] = []) {
    for (const rule of rules) this.enable(rule);
  }

  /** Those that are on, oldest first. */
  get rules(): FaultRule[] {
    return this.#rules.filter(({ left }) => left > 0).map(({ rule }) => rule);
  }

  enable(rule: FaultRule): void {
    this.#rules.push({ rule, left: rule.times ?? Number.POSITIVE_INFINITY });
  }

  /** Without a name: all of them. */
  disable(fault?: FaultName): void {
    this.#rules = this.#rules.filter(({ rule }) => fault !== undefined && rule.fault !== fault);
  }

  /** The faults that hit a request, in the order they were switched on; uses up their `times`. */
  consume(request: StoreRequest): FaultRule[] {
    const hits = this.#rules.filter(({ rule, left }) => left > 0 && matches(rule, request));
    for (const hit of hits) hit.left -= 1;
    return hits.map(({ rule }) => rule);
  }
}

function matches({ when = {} }: FaultRule, request: StoreRequest): boolean {
  return Object.entries(when).every(
    ([name, wanted]) => request[name as keyof typeof when] === wanted,
  );
}
