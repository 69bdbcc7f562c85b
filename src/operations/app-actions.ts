// Actions on an app besides its settings: collecting it ahead of time.
import { z } from "zod";
import { AppError } from "../domain/error.ts";
import { failField } from "../domain/validation-errors.ts";
import { ownFeeds } from "../use-cases/apps/coverage.ts";
import { appNoun } from "./app.ts";
import { action } from "./operation.ts";

/** The feeds that this app is read through, all or those of one region. Postponed ones keep their time. */
export const collectApp = action(appNoun, {
  verb: "collect",
  summary: "Collect an app now",
  description:
    "Its feeds are read ahead of their time; those that a store has refused keep their time.",
  role: "member",
  scope: "manage",
  limits: [{ perMinute: 30, by: "workspace" }],
  audit: "app.collected",
  keepsVersion: true,
  output: {
    operationId: "collectApp",
    schema: z
      .object({ feedCount: z.int().describe("How many feeds are due now.") })
      .meta({ id: "CollectedApp" }),
  },
  schema: z
    .strictObject({
      region: z
        .string({ error: "must be a storefront or a language" })
        .max(20)
        .nullable()
        .default(null)
        .describe("Only this storefront or, on Google Play, this language; null for all."),
    })
    .meta({ id: "AppCollectionInput" }),
  async run({ tx, now }, { before, input: { region } }) {
    const all = ownFeeds(await tx.listFeeds(before.listingId), before);
    if (all.length === 0) throw new AppError("conflict", "nothing is collected for this app");
    const feeds = all.filter((feed) => region === null || feed.region === region);
    if (feeds.length === 0) failField("region", "is not read for this app");
    for (const feed of feeds) await tx.makeFeedDueNow({ ...feed, now });
    return { result: { feedCount: feeds.length, feeds }, detail: { region } };
  },
  // The command crawls by itself: a service that runs beside it would be faster.
  after: async ({ deps, actor }) => actor.kind === "operator" || deps.database.notify("feeds"),
});
