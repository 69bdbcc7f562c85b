// Translation as a kind of job. A text that was translated before is not sent again, and a text that the
// provider can't translate is not tried again for a week.

import type { Database } from "../../../database/database.ts";
import { type ProviderJob, toTranslation } from "../../../domain/review/provider.ts";
import type { Translation } from "../../../domain/review/review.ts";
import type { Clock } from "../../../lib/clock.ts";
import { dayMs } from "../../../lib/timestamp.ts";
import type { JobHandler, JobResponse, JobResult } from "../providers/job-handler.ts";
import { baseOf } from "./language-codes.ts";
import { type Translator, textCharactersMax } from "./translator.ts";

type TranslationHandlerDeps = Pick<Database, "loadTranslations"> & {
  clock: Clock;
  translator: Translator;
  charactersPerDay: number;
  save(saved: { provider: string; results: readonly JobResult<Translation>[] }): Promise<void>;
};

// After that the provider may support the language.
const impossibleMs = 7 * dayMs;

export function createTranslationHandler(deps: TranslationHandlerDeps): JobHandler<Translation> {
  const { translator } = deps;
  const provider = translator.name;
  const save = (results: readonly JobResult<Translation>[]): Promise<void> =>
    deps.save({ provider, results });
  return {
    kind: "translate",
    provider,
    batchMax: translator.batchMax,
    dayMax: deps.charactersPerDay,
    unit: "characters",
    batchKeyOf: ({ language }) => baseOf(language),
    async resolveWithoutRequest(jobs) {
      const known = await loadKnownTexts(deps, jobs);
      const needsRequest = (job: ProviderJob): boolean =>
        !known.has(keyOf(job)) && job.text.length <= textCharactersMax;
      const results = jobs
        .filter((job) => !needsRequest(job))
        .map((job) => ({ job, result: toResult(job, known.get(keyOf(job)) ?? null) }));
      if (results.length > 0) await save(results);
      return jobs.filter(needsRequest);
    },
    execute: (jobs) => translateJobs(translator, jobs),
    save,
  };
}

async function translateJobs(
  translator: Translator,
  jobs: readonly ProviderJob[],
): Promise<JobResponse<Translation>> {
  const from = jobs[0]?.language ?? "";
  // Many reviews have the same few words.
  const texts = [...new Set(jobs.map(({ text }) => text))];
  const response = await translator.translate({ from, texts });
  if (response.kind !== "translated") return response;
  const byText = new Map(texts.map((text, index) => [text, response.texts[index] ?? null]));
  const results = jobs.map((job) => toResult(job, byText.get(job.text) ?? null));
  return { kind: "completed", results };
}

async function loadKnownTexts(
  { clock, translator, loadTranslations }: TranslationHandlerDeps,
  jobs: readonly ProviderJob[],
): Promise<Map<string, string | null>> {
  const known = await loadTranslations({
    provider: translator.name,
    contentHashes: jobs.map(({ contentHash }) => contentHash),
    impossibleSince: new Date(clock.now().getTime() - impossibleMs),
  });
  return new Map(known.map(({ contentHash, text }) => [contentHash.toString("hex"), text]));
}

function toResult({ language }: ProviderJob, text: string | null): Translation | null {
  return text === null ? null : toTranslation(text, language);
}

function keyOf({ contentHash }: ProviderJob): string {
  return contentHash.toString("hex");
}
