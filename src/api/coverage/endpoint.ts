// GET /coverage: what is read of an app, when it was read last, and what is missing.
import { z } from "zod";
import { feedKinds, feedOutcomes } from "../../domain/feed/feed.ts";
import { formatTimestamp } from "../../lib/timestamp.ts";
import { findAppWithCoverage } from "../../use-cases/apps/apps.ts";
import type { Coverage } from "../../use-cases/apps/coverage.ts";
import { moment } from "../contract.ts";
import { defineEndpoint } from "../endpoint.ts";
import { appParameters } from "../parameters.ts";

const feed = z
  .object({
    kind: z.enum(feedKinds),
    region: z
      .string()
      .describe(
        "A storefront, or for reviews of googleplay the language of a list; `001` is the one list of a store without storefronts.",
      ),
    source: z
      .enum(["public", "official"])
      .describe("The store's public pages, or its API through your account."),
    outcome: z
      .enum(feedOutcomes)
      .nullable()
      .describe(
        "The outcome of the last reading: `ok`, `empty` as the store confirmed, `unknown` for a gap or a failure; null before the first.",
      ),
    checkedAt: moment.nullable().describe("When it was last read."),
    goodAt: moment.nullable().describe("When it was last read with success."),
    nextDueAt: moment,
    completeSince: moment
      .nullable()
      .describe("When everything that the store shows was read first; null before."),
    missing: z.string().nullable().describe("In words; null while nothing is."),
  })
  .meta({ id: "Feed" });

export const coverageResponse = z.object({ feeds: z.array(feed) }).meta({ id: "Coverage" });

export const coverageEndpoint = defineEndpoint({
  path: "/coverage",
  id: "getCoverage",
  tag: "Apps",
  summary: "Get the coverage of an app",
  description:
    "Each storefront and list that the app is read through, with the result of the last reading. Empty for an app that is only imported.",
  parameters: appParameters,
  appIdsOf: ({ app }) => [app],
  // Readings that find nothing new do not change the version of the app.
  isTaggedByContent: () => true,
  responseSchema: coverageResponse,
  problems: ["invalid_parameter", "app_not_found"],
  async handle({ database, now, workspaceId, query }) {
    const deps = { clock: { now: () => now }, database };
    const app = await findAppWithCoverage(deps, { field: "app", id: query.app, workspaceId });
    return { feeds: app.feeds.map(show) };
  },
});

function show(coverage: Coverage): z.infer<typeof feed> {
  const { kind, region, source, outcome } = coverage;
  const format = (at: Date | null): string | null => at && formatTimestamp(at);
  return {
    kind,
    region,
    source,
    outcome,
    checkedAt: format(coverage.checkedAt),
    goodAt: format(coverage.goodAt),
    nextDueAt: formatTimestamp(coverage.nextDueAt),
    completeSince: format(coverage.baselineAt),
    missing: describeMissing(coverage),
  };
}

function describeMissing(coverage: Coverage): string | null {
  const { alarm, baselineAt, checkedAt, kind, lastError, outcome, truncated } = coverage;
  if (alarm !== null) return alarm;
  if (outcome === "unknown") return lastError ?? "the last response was inconclusive";
  if (checkedAt === null) return "it was not read yet";
  if (kind === "reviews" && baselineAt === null) return "its older reviews are still being read";
  return truncated ? "the store has more reviews than it shows" : null;
}
