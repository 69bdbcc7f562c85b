// The data of a report in a file: the answers that the pages get from a service elsewhere.
import type { NamedApp } from "../../dashboard-api/contract/apps.ts";
import type { RouteName } from "../../dashboard-api/contract/routes.ts";
import type { Verdict } from "../../domain/changes/verdict.ts";
import type { Moment } from "../../lib/timestamp.ts";
import type { ReleaseDays } from "../../read/overview/overview.ts";
import type { PageContent } from "../../read/pages/page-content.ts";

export type ReportAnswer = { route: RouteName; input: object; answer: unknown };

/** A storefront or language that was read, or why it was not. */
export type ReportFeed = {
  appId: string;
  kind: "reviews" | "ratings";
  region: string;
  outcome: "ok" | "empty" | "unknown" | null;
  reviewCount: number;
  /** The reason of a gap, in words; null without one. */
  gap: string | null;
};

export type Report = {
  title: string;
  madeAt: Moment;
  /** Of Starpost. */
  version: string;
  workspaceId: string;
  apps: Pick<NamedApp, "id" | "name" | "store">[];
  /** Why it is not complete, in sentences. */
  notes: string[];
  overview: Extract<PageContent, { overview: unknown }>;
  comparison: Extract<PageContent, { kind: "comparison" }> | null;
  /** Of the newest releases of each app. */
  verdicts: Verdict[];
  /** The newest release of each app, with its neighbours. */
  releases: {
    appId: string;
    release: ReleaseDays;
    next: ReleaseDays | null;
    previous: ReleaseDays | null;
  }[];
  /** Those that are quoted. */
  topics: string[];
  feeds: ReportFeed[];
  /** The commands that keep these figures up to date. */
  commands: string[];
  answers: ReportAnswer[];
};
