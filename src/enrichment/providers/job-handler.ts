// What a worker is told of one kind of provider: how much it takes at once, how it is asked, and where
// its answers go. The worker itself knows neither translations nor analyses.
import type { ProviderFailure, ProviderJob, ProviderKind } from "../../domain/provider.ts";

export type JobHandler<A> = {
  kind: ProviderKind;
  /** As it stands in the status, e.g. `deepl`. */
  provider: string;
  /** One request's limits. */
  batchMax: { jobs: number; characters: number };
  /** What is asked of it on one UTC day at most, in `unit`. */
  dayMax: number;
  unit: "characters" | "reviews";
  /** Jobs that may share a request have the same. */
  groupOf(job: ProviderJob): string;
  /** Answers what needs no request, and returns the rest. */
  resolveWithoutRequest(jobs: readonly ProviderJob[]): Promise<ProviderJob[]>;
  execute(jobs: readonly ProviderJob[]): Promise<JobResult<A>>;
  /** Keeps the answers and ends their jobs. */
  save(answered: readonly JobOutcome<A>[]): Promise<void>;
};

export type JobResult<A> =
  /** In the order of the jobs; null where the answer is of no use. */
  | { kind: "answered"; answers: readonly (A | null)[] }
  /** This provider can't do that, now or later. */
  | { kind: "impossible"; reason: string }
  | ProviderFailure;

/** `answer` is null for what can't be done, or was given up. */
export type JobOutcome<A> = { job: ProviderJob; answer: A | null };
