// starpost review: the Reviews page in a terminal, with the work on reviews; and erasing what a reviewer wrote, when they ask for it.
import { daySchema } from "../../domain/fields.ts";
import {
  parseReviewFilter,
  type ReviewFilter,
  reviewFilterSchema,
} from "../../domain/review/review-filter.ts";
import { toReviewLine } from "../../domain/review/review-line.ts";
import { failField, parseField } from "../../domain/validation-errors.ts";
import { addNote, noteNoun, removeNote } from "../../features/triage/notes.ts";
import { changeReview, reviewNoun } from "../../features/triage/operations.ts";
import { eraseReview } from "../../operations/erase-review.ts";
import { requireApp } from "../../use-cases/apps/apps.ts";
import { findReviewsOf } from "../../use-cases/privacy/erase-review.ts";
import { type ListedReview, listReviews } from "../../use-cases/reviews/list-reviews.ts";
import { resolveDates } from "../../use-cases/reviews/search-reviews.ts";
import { type Command, command } from "../command.ts";
import { operate } from "../operate.ts";
import {
  appOption,
  flag,
  list,
  number,
  optional,
  required,
  requireWhole,
  workspaceFilter,
  workspaceOption,
} from "../option.ts";
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
    name: "review update",
    description: "Tag, assign or close a review. What is left out stays.",
    args: { id: required("<review>", "Its id.") },
    options: {
      workspace: workspaceOption("The workspace that works on it."),
      addTags: { ...list("--add-tags <tags>", "Tags with commas."), field: "addedTags" },
      removeTags: { ...list("--remove-tags <tags>", "Tags with commas."), field: "removedTags" },
      tags: list("--tags <tags>", "Tags with commas that replace all of its tags."),
      assign: {
        ...optional("--assign <member>", "A member's e-mail address."),
        field: "assignee",
      },
      unassign: flag("--unassign", "Take it from its assignee."),
      done: flag("--done", "It needs no more work."),
      open: flag("--open", "It needs work again."),
    },
    async run(context, { id, workspace: workspaceId, ...values }) {
      const { tags, addTags: addedTags, removeTags: removedTags, assign, unassign } = values;
      const { done, open } = values;
      if (done && open) failField("open", "can't be given together with --done");
      if (unassign && assign !== undefined)
        failField("unassign", "can't be given together with --assign");
      const { result } = await operate(context, changeReview, {
        workspaceId,
        id,
        values: {
          tags,
          addedTags,
          removedTags,
          assignee: unassign ? null : assign,
          isDone: done || open ? done : undefined,
        },
      });
      return { value: reviewNoun.toView(result) };
    },
  }),
  command({
    name: "review note",
    description: "Write a note on a review, which the members of the workspace read.",
    args: { review: required("<review>", "Its id.") },
    options: {
      workspace: workspaceOption("The workspace that works on it."),
      text: required("--text <text>", "The note."),
    },
    async run(context, { workspace: workspaceId, ...values }) {
      const { result } = await operate(context, addNote, { workspaceId, values });
      return { value: noteNoun.toView(result) };
    },
  }),
  command({
    name: "review remove-note",
    description: "Delete a note on a review.",
    args: { id: required("<note>", "The id of the note.") },
    question: async () => "Delete the note?",
    async run(context, { id }) {
      const { result } = await operate(context, removeNote, { id });
      return { value: noteNoun.toView(result) };
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
