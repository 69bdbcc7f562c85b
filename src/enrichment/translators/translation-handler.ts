// Translating as a kind of background work: what was translated before is not paid for again, and what
// can't be translated is remembered as that for a week.

import { type ProviderJob, toTranslation } from "../../domain/provider.ts";
import type { Translation } from "../../domain/review.ts";
import type { Clock } from "../../lib/clock.ts";
import { dayMs } from "../../lib/timestamp.ts";
import type { JobHandler, JobOutcome, JobResult } from "../providers/job-handler.ts";
import { baseOf } from "./language-codes.ts";
import { type Translator, textCharactersMax } from "./translator.ts";

export type TranslationHandlerDeps = {
  clock: Clock;
  translator: Translator;
  charactersPerDay: number;
  loadTranslations(wanted: {
    provider: string;
    contentHashes: readonly Buffer[];
    impossibleSince: Date;
  }): Promise<{ contentHash: Buffer; text: string | null }[]>;
  /** Keeps translations, tells whoever waited, and ends the jobs. */
  finish(done: { provider: string; answered: readonly JobOutcome<Translation>[] }): Promise<void>;
};

// Then a provider may have learned the language.
const impossibleMs = 7 * dayMs;

export function createTranslationHandler(room: TranslationHandlerDeps): JobHandler<Translation> {
  const { translator } = room;
  const provider = translator.name;
  const save = (answered: readonly JobOutcome<Translation>[]): Promise<void> =>
    room.finish({ provider, answered });
  return {
    kind: "translate",
    provider,
    batchMax: translator.batchMax,
    dayMax: room.charactersPerDay,
    unit: "characters",
    groupOf: ({ language }) => baseOf(language),
    async resolveWithoutRequest(jobs) {
      const known = await loadKnown(room, jobs);
      const isOpen = (job: ProviderJob): boolean => !known.has(keyOf(job)) && fits(job);
      const answered = jobs
        .filter((job) => !isOpen(job))
        .map((job) => ({ job, answer: toTranslation(job, known.get(keyOf(job)) ?? null) }));
      if (answered.length > 0) await save(answered);
      return jobs.filter(isOpen);
    },
    execute: (jobs) => translateJobs(translator, jobs),
    save,
  };
}

async function translateJobs(
  translator: Translator,
  jobs: readonly ProviderJob[],
): Promise<JobResult<Translation>> {
  const from = jobs[0]?.language ?? "";
  // The same few words come again and again.
  const texts = [...new Set(jobs.map(({ text }) => text))];
  const translated = await translator.translate({ from, texts });
  if (translated.kind === "failed") return translated;
  if (translated.kind === "unsupported") return { kind: "impossible", reason: translated.reason };
  const byText = new Map(texts.map((text, index) => [text, translated.texts[index] ?? null]));
  const answers = jobs.map((job) => toTranslation(job, byText.get(job.text) ?? null));
  return { kind: "answered", answers };
}

async function loadKnown(
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

function fits({ text }: ProviderJob): boolean {
  return text.length <= textCharactersMax;
}

function toTranslation({ language }: ProviderJob, text: string | null): Translation | null {
  return text === null ? null : toTranslation(text, language);
}

function keyOf({ contentHash }: ProviderJob): string {
  return contentHash.toString("hex");
}
