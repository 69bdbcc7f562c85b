// The seams for what features make of the reviews of apps. Without the feature there is nothing to show.
import type { DatabaseTransaction } from "../../database/database.ts";
import type { FollowedApp } from "../../database/reviews/followed-apps.ts";
import type { Incident } from "../../domain/changes/incident.ts";
import type { Verdict } from "../../domain/changes/verdict.ts";
import type { ReplyOutcomes } from "../../domain/review/reply-outcomes.ts";
import type { Day } from "../../lib/timestamp.ts";

export type VerdictQuery = {
  workspaceId: string;
  apps: readonly FollowedApp[];
  worseBy: number;
  /** One version of each app, its newest releases, or the newest of all apps since a day. */
  releases: { version: string } | { newestMax: number } | { since: Day; max: number };
};

export type ReadVerdicts = (
  database: DatabaseTransaction,
  query: VerdictQuery,
) => Promise<Verdict[]>;

/** `appIds`: those with the most reviews first. */
type IncidentQuery = { workspaceId: string; appIds: readonly string[]; to: Day };

export type ReadIncidents = (
  database: DatabaseTransaction,
  query: IncidentQuery,
) => Promise<{ incidents: Incident[]; verdicts: Verdict[] }>;

export type ReadReplyOutcomes = (
  database: DatabaseTransaction,
  query: { workspaceId: string; app?: string | undefined; from: Day; to: Day; now: Date },
) => Promise<ReplyOutcomes>;

/** At most one each: features hand them in. */
export const verdictReaders: ReadVerdicts[] = [];
export const incidentReaders: ReadIncidents[] = [];
export const replyOutcomeReaders: ReadReplyOutcomes[] = [];

/** The newest first; a version that no review names has none. */
export const readVerdicts: ReadVerdicts = async (database, query) =>
  (await verdictReaders[0]?.(database, query)) ?? [];

export const readIncidents: ReadIncidents = async (database, query) =>
  (await incidentReaders[0]?.(database, query)) ?? { incidents: [], verdicts: [] };

/** null for a product that sends no answers. */
export async function readReplyOutcomes(
  ...query: Parameters<ReadReplyOutcomes>
): Promise<ReplyOutcomes | null> {
  return (await replyOutcomeReaders[0]?.(...query)) ?? null;
}
