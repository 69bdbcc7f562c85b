// Which adaptations are in use, as SQL for the statements that ask.
import { everyLanguage } from "../../domain/fine-tuning.ts";

/** Whether `a` is what an engine of that version analyses its language with. */
export function isFineTuningInUseSql(versionParameter: string): string {
  return `(a.weights is not null and a.is_enabled and a.analysis_version = ${versionParameter}
    and not exists
      (select from adaptations e where e.language = '${everyLanguage}' and not e.is_enabled))`;
}
