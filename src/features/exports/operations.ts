// Reads that leave the house: recorded at every door before their first byte, which a door streams in the form of its readers.
import { z } from "zod";
import { appNoun } from "../../operations/app.ts";
import { reading } from "../../operations/long-work.ts";
import { workspaceNoun } from "../../operations/workspace.ts";

const filters = z.record(z.string(), z.unknown());

/** The reviews of a workspace that match filters: a file of the dashboard, or a stream of the API. */
export const exportReviews = reading(workspaceNoun, {
  verb: "export-reviews",
  summary: "Export reviews",
  role: "viewer",
  // The API has a limit of its own: one stream for each key, which pays by its rows.
  limits: [{ perMinute: 10, by: "workspace" }],
  audit: "reviews.exported",
  schema: filters,
});

const operator = { role: null } as const;

export const exportReviewsOfApp = reading(appNoun, {
  ...operator,
  verb: "export-reviews",
  summary: "Export all reviews of an app",
  audit: "reviews.exported",
  schema: filters,
});

export const exportRatings = reading(appNoun, {
  ...operator,
  verb: "export-ratings",
  summary: "Export the daily ratings of an app",
  audit: "ratings.exported",
});

export const exportWorkspace = reading(workspaceNoun, {
  ...operator,
  verb: "export",
  summary: "Export everything of a workspace",
  audit: "workspace.exported",
});
