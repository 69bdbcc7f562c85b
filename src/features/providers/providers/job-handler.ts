// The handler that a job worker needs for one kind of job: how much fits into a request, how the provider is
// called, and how results are saved. The worker knows neither translations nor analyses.
import type {
  ProviderFailure,
  ProviderJob,
  ProviderKind,
} from "../../../domain/review/provider.ts";

export type JobHandler<Result> = {
  kind: ProviderKind;
  /** As the status shows it, e.g. `deepl`. */
  provider: string;
  /** Limits of one request. */
  batchMax: { jobs: number; characters: number };
  /** Limit of one UTC day, in `unit`. */
  dayMax: number;
  unit: "characters" | "reviews";
  /** Only jobs with the same key share a request. */
  batchKeyOf(job: ProviderJob): string;
  /** Saves the results that need no request, and returns the other jobs. */
  resolveWithoutRequest(jobs: readonly ProviderJob[]): Promise<ProviderJob[]>;
  /** One request to the provider. */
  execute(jobs: readonly ProviderJob[]): Promise<JobResponse<Result>>;
  /** Saves the results and finishes their jobs, in one transaction per listing. */
  save(results: readonly JobResult<Result>[]): Promise<void>;
};

export type JobResponse<Result> =
  /** In the order of the jobs; null for a result that can't be used. */
  | { kind: "completed"; results: readonly (Result | null)[] }
  /** The provider can't do such jobs at all. */
  | { kind: "unsupported"; reason: string }
  | ProviderFailure;

/** `result` is null for a job that was given up or can't be done. */
export type JobResult<Result> = { job: ProviderJob; result: Result | null };
