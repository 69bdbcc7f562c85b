// starpost review update, note and remove-note: the work on reviews.
import { type Command, command } from "../../cli/command.ts";
import { operate } from "../../cli/operate.ts";
import { flag, list, optional, required, workspaceOption } from "../../cli/option.ts";
import { failField } from "../../domain/validation-errors.ts";
import { addNote, noteNoun, removeNote } from "./notes.ts";
import { changeReview, reviewNoun } from "./operations.ts";

export const commands: Command[] = [
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
];
