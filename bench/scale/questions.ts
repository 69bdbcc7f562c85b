// The questions to an installation of any size: pages, filters, trends, the Overview and a search, of one app and of
// the hundred apps of one workspace.

import type { Database } from "../../src/database/database.ts";
import type { App } from "../../src/domain/feed/listing.ts";
import type { ReviewFilters } from "../../src/domain/review/review-filter.ts";
import { addDays } from "../../src/lib/timestamp.ts";
import { composeOverview } from "../../src/read/overview/compose-overview.ts";
import { readFeedPage } from "../../src/read/reviews/review-feed.ts";
import { newestDay, oldestDay } from "../read-api/data.ts";
import { rareWord, type ScaleData } from "./data.ts";

export type Question = {
  what: string;
  limit?: string;
  /** The question of one app that it may take ten times as long as. */
  ofOneApp?: string;
  /** A question about a hundred apps. */
  isWide?: true;
  /** How long it takes may depend on the number of reviews. */
  grows?: true;
  run: (app: App) => Promise<unknown>;
};

const quarter = { from: addDays(newestDay, -89), to: newestDay };
const quarterBefore = { from: addDays(newestDay, -179), to: addDays(newestDay, -90) };

export function listQuestions(database: Database, data: ScaleData): Question[] {
  return [...listOne(database), ...listWide(database, data)];
}

function listOne(database: Database): Question[] {
  const page = (filters: ReviewFilters, what: string): Question => ({
    what,
    run: async ({ id, workspaceId }) => {
      const apps = await database.listFollowedApps({ workspaceId, ids: [id] });
      const query = { workspaceId, apps, filters };
      await database.listReviewPage({ ...query, after: null, limit: 50 });
    },
  });
  return [
    page({}, "page"),
    page({ to: addDays(newestDay, -400) }, "page, a year back"),
    page({ rating: [1] }, "page by stars"),
    page({ sentiment: ["mixed"] }, "page by sentiment"),
    page({ topic: ["crash"] }, "page by topic"),
    page({ topic: ["crash"], rating: [2] }, "page by topic and stars"),
    {
      what: "trends of two years",
      run: async ({ id, workspaceId }) => {
        const apps = await database.listFollowedApps({ workspaceId, ids: [id] });
        const scope = { apps, workspaceId, from: oldestDay, to: newestDay };
        await database.countWeeks(scope);
        await database.countTopics({ ...scope, limit: 10 });
      },
    },
    { what: "overview", run: (app) => readOverview(database, [app]) },
    search(database, "search of one app for a rare word", ({ id, workspaceId }) => ({
      ...{ app: id, workspaceId },
    })),
  ];
}

function listWide(database: Database, { wide }: ScaleData): Question[] {
  if (!wide) return [];
  const { workspaceId, apps } = wide;
  const page = (filters: ReviewFilters, ofOneApp: string): Question => ({
    ...{ what: ofOneApp.replace("page", "page of 100 apps"), ofOneApp, isWide: true },
    run: async () => {
      const followed = await database.listFollowedApps({ workspaceId, ids: null });
      const query = { workspaceId, apps: followed, after: null, limit: 50 };
      await database.listReviewPage({ ...query, filters });
    },
  });
  return [
    page({}, "page"),
    page({ rating: [1] }, "page by stars"),
    page({ sentiment: ["mixed"] }, "page by sentiment"),
    page({ topic: ["crash"] }, "page by topic"),
    {
      ...{ what: "overview of 100 apps", limit: "≤ 50", isWide: true },
      run: () => readOverview(database, apps),
    },
    {
      ...search(database, "search of 100 apps for a rare word", () => ({ workspaceId })),
      isWide: true,
    },
  ];
}

function readOverview(database: Database, apps: readonly App[]): Promise<unknown> {
  const workspaceId = apps[0]?.workspaceId ?? "";
  return composeOverview(database, { workspaceId, apps, range: quarter, before: quarterBefore });
}

function search(
  database: Database,
  what: string,
  scopeOf: (app: App) => { workspaceId: string; app?: string },
): Question {
  return {
    ...{ what, limit: "≤ 200", grows: true },
    run: async (one) => {
      const { workspaceId, ...of } = scopeOf(one);
      const page = { workspaceId, filters: { q: rareWord, ...of }, after: null, limit: 50 };
      const found = await readFeedPage({ database, findEvidence: async () => [] }, page);
      if (found.searchedCount === null) throw new Error(`${what}: no search`);
    },
  };
}
