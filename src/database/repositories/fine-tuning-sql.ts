// Which fine-tunings are in use, as a condition for several statements.
import { allLanguages } from "../../domain/fine-tuning.ts";

/** Whether an engine of that version analyzes the language of the fine-tuning `t` with it. */
export function isFineTuningInUseSql(versionParameter: string): string {
  return `(t.weights is not null and t.is_enabled and t.analysis_version = ${versionParameter}
    and not exists
      (select from fine_tunings e where e.language = '${allLanguages}' and not e.is_enabled))`;
}
