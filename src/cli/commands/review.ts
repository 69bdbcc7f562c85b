// starpost review: the Reviews page in a terminal; and erasing what a reviewer wrote, when they ask for it.
import { daySchema } from "../../domain/fields.ts";
import {
  parseReviewFilter,
  type ReviewFilter,
  reviewFilterSchema,
} from "../../domain/review/review-filter.ts";
import { toReviewLine } from "../../domain/review/review-line.ts";
import { failField, parseField } from "../../domain/validation-errors.ts";
import { eraseReview } from "../../operations/erase-review.ts";
import { requireApp } from "../../use-cases/apps/apps.ts";
import { findReviewsOf } from "../../use-cases/privacy/erase-review.ts";
import { type ListedReview, listReviews } from "../../use-cases/reviews/list-reviews.ts";
import { resolveDates } from "../../use-cases/reviews/search-reviews.ts";
import { type Command, command } from "../command.ts";
import { operate } from "../operate.ts";
import { appOption, number, optional, required, requireWhole, workspaceFilter } from "../option.ts";
import { findOnlyWorkspace } from "../references.ts";

const listedDefault = 20;
const listedMax = 1_000;
const textShownMax = 80;
const filterNames = Object.keys(reviewFilterSchema.shape).join(", ");

export const commands: Command[] = [
  command({
    name: "review list",
    description: "List the newest reviews that match all of the filters.",
    options: {
      workspace: workspaceFilter(
        "Whose reviews; by default the workspace of --app, or the only one.",
      ),
      app: { ...optional("--app <app>", "Only reviews of this app."), refersTo: "app" },
      stars: optional("--stars <numbers>", "Only reviews with these stars, with commas."),
      topic: optional("--topic <name>", "Only reviews with this topic."),
      since: optional(
        "--since <time>",
        "Only reviews of the last days, like 7d, or since a day, YYYY-MM-DD.",
      ),
      filter: optional(
        "--filter <parameters>",
        `Filters as the Reviews page has them in its URL, like country=de&sentiment=negative: ${filterNames}.`,
      ),
      limit: number("--limit <count>", `At most this many (${listedDefault}).`),
    },
    async run({ clock, database, isJson, showProgress }, { workspace, app, ...values }) {
      const value = values.limit ?? listedDefault;
      const limit = requireWhole("limit", { value, min: 1, max: listedMax });
      const filters = parseFilters(values);
      const place = { field: "app", workspaceId: null };
      const owner = app === undefined ? null : await requireApp(database, { ...place, id: app });
      const workspaceId = workspace ?? owner?.workspaceId;
      const reviews = await listReviews(database, {
        workspaceId: workspaceId ?? (await findOnlyWorkspace(database, "workspace")),
        filters: resolveDates(app === undefined ? filters : { ...filters, app }, clock.now()),
        limit,
        onSearched: (count) => showProgress(`${count} reviews searched`),
      });
      const columns = ["date", "stars", "app", "country", "version", "topics", "text", "id"];
      return { value: isJson ? reviews : reviews.map(toRow), columns };
    },
  }),
  command({
    name: "review find",
    description: "Find the reviews of an app by the name that their author has in the store.",
    options: {
      app: appOption,
      author: required("--author <name>", "The name, in any case of letters."),
    },
    async run({ database }, { app, author }) {
      return {
        value: await findReviewsOf(database, { appId: app, author }),
        columns: ["date", "rating", "author", "text", "id"],
      };
    },
  }),
  command({
    name: "review erase",
    description:
      "Remove name, text, versions and deliveries of a review in all workspaces; its stars stay counted.",
    question: async (_context, { id }) => `Erase the review ${id} in all workspaces?`,
    args: { id: required("<review>", "Its id.") },
    options: { app: appOption },
    async run(context, { app, id }) {
      const request = { id: app, values: { reviewId: id } };
      return { value: (await operate(context, eraseReview, request)).result };
    },
  }),
];

type Filters = Record<"stars" | "topic" | "since" | "filter", string | undefined>;

/** @throws AppError `invalid_input` that names the option */
function parseFilters({ stars, topic, since, filter = "" }: Filters): ReviewFilter {
  const parsed = parseReviewFilter(filter);
  if (!parsed.ok) return failField("filter", parsed.fault);
  const { rating, topic: topicSchema, range } = reviewFilterSchema.shape;
  const isDay = daySchema.safeParse(since).success;
  const own = {
    rating: parseField(rating, { field: "stars", value: stars }),
    topic: parseField(topicSchema, { field: "topic", value: topic }),
    ...(isDay ? { from: since } : { range: parseField(range, { field: "since", value: since }) }),
  };
  const chosen = Object.entries(own).filter(([, value]) => value !== undefined);
  const twice = chosen.find(([name]) => name in parsed.filter);
  if (twice) failField("filter", `${twice[0]} is an option as well: give it once`);
  return { ...parsed.filter, ...Object.fromEntries(chosen) };
}

function toRow({ rating, app, title, text, ...review }: ListedReview) {
  return {
    ...review,
    stars: "★".repeat(rating),
    app: app.name,
    text: toReviewLine({ title, text }, textShownMax),
  };
}
