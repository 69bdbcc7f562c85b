// starpost review: finding and erasing what a reviewer wrote, when they ask for it.
import { eraseReview, findReviewsOf } from "../../use-cases/privacy/erase-review.ts";
import { type Command, command } from "../command.ts";
import { reference, required } from "../option.ts";

const app = reference("app", { flags: "--app <app>", description: "The app." });

export const commands: Command[] = [
  command({
    name: "review find",
    description: "Find the reviews of an app by the name that their author has in the store.",
    options: { app, author: required("--author <name>", "The name, in any case of letters.") },
    async run(shell, { app, author }) {
      const { database } = await shell.context();
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
    options: { app },
    async run(shell, { app, id }) {
      return { value: await eraseReview(await shell.context(), { appId: app, reviewId: id }) };
    },
  }),
];
