// The work on all selected reviews at once, at the bottom of the window; and the keys of the list.
import { type RefObject, useEffect, useState } from "react";
import { describeError } from "../../api/http-request.ts";
import type { WorkspaceInput } from "../../api/workspace.ts";
import { useApiMutation, useWorkspace } from "../../api/workspace.ts";
import { Button } from "../../components/button.tsx";
import { TextField } from "../../components/field.tsx";
import { useToast } from "../../components/toast.tsx";
import { formatQuantity } from "../../format/numbers.ts";
import { AssignMenu } from "./assign-menu.tsx";
import styles from "./reviews.module.css";
import { workRoutes } from "./work-card.tsx";

const changeRoute = "PATCH /workspaces/:workspace/reviews/work" as const;
type Change = Omit<WorkspaceInput<typeof changeRoute>["body"], "reviews">;
type Selected = { id: string };

/** Says what it did, or why not. */
export function useWorkOnReviews(onDone: () => void) {
  const change = useApiMutation(changeRoute, workRoutes);
  const showToast = useToast();
  const run = (reviews: readonly Selected[], body: Change) =>
    change.mutate(
      { body: { ...body, reviews: reviews.map(({ id }) => id) } },
      {
        onSuccess: ({ changedCount }) => {
          showToast(`${formatQuantity(changedCount, "review")} changed`);
          onDone();
        },
        onError: (error) => showToast(describeError(error)),
      },
    );
  return { run, isPending: change.isPending };
}

type BulkBarProps = {
  bar: RefObject<HTMLFormElement | null>;
  selected: readonly Selected[];
  shownCount: number;
  onSelectAll: () => void;
  onClear: () => void;
};

export function BulkBar({ bar, selected, shownCount, onSelectAll, onClear }: BulkBarProps) {
  const [tag, setTag] = useState("");
  const { run, isPending } = useWorkOnReviews(() => setTag(""));
  return (
    <form
      ref={bar}
      className={styles.bulk}
      aria-label="Selected reviews"
      onSubmit={(event) => {
        event.preventDefault();
        if (tag.trim() !== "") run(selected, { addedTags: [tag.trim()] });
      }}
    >
      <strong>{formatQuantity(selected.length, "review")}</strong>
      <AssignMenu
        label=" the selected reviews"
        button="Assign"
        framed
        isAssigned
        onAssign={(assignee) => run(selected, { assignee })}
      />
      <TextField
        label="Tag for the selected reviews"
        hideLabel
        placeholder="Tag, Enter"
        maxLength={40}
        value={tag}
        onValueChange={setTag}
      />
      <Button small busy={isPending} onClick={() => run(selected, { isDone: true })}>
        Done
      </Button>
      <Button small kind="quiet" onClick={() => run(selected, { isDone: false })}>
        Open again
      </Button>
      {selected.length < shownCount ? (
        <Button small kind="quiet" onClick={onSelectAll}>
          Select all {shownCount} shown
        </Button>
      ) : null}
      <Button small kind="quiet" onClick={onClear}>
        Clear
      </Button>
    </form>
  );
}

/**
 * `j` and `k` go from review to review, `x` selects the one with the focus; `a`, `t` and `e` assign, tag and mark as done
 * what is selected, or else that one.
 */
export function useListKeys(keys: {
  list: RefObject<HTMLElement | null>;
  bar: RefObject<HTMLFormElement | null>;
  onSelect: (id: string) => void;
  onDone: (id: string | null) => void;
  onAnswer: (id: string | null) => void;
}): void {
  const { isViewer } = useWorkspace();
  useEffect(() => {
    // Viewers select and change nothing.
    if (isViewer) return undefined;
    const onKey = (event: KeyboardEvent) => {
      const { target } = event;
      const isTyping =
        target instanceof Element &&
        target.matches("input:not([type=checkbox]), textarea, select, dialog *");
      if (isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
      const cards = [...(keys.list.current?.querySelectorAll<HTMLElement>("[data-review]") ?? [])];
      const index = cards.findIndex((card) => card.contains(document.activeElement));
      const id = cards[index]?.dataset["review"] ?? null;
      const isSelected = keys.bar.current !== null;
      if (event.key === "j" || event.key === "k") {
        const next = cards[event.key === "j" ? index + 1 : Math.max(0, index - 1)];
        next?.querySelector<HTMLElement>("input[type=checkbox]")?.focus();
        next?.scrollIntoView({ block: "nearest" });
      } else if (event.key === "x" && id !== null) keys.onSelect(id);
      else if (event.key === "e" && (isSelected || id !== null))
        keys.onDone(isSelected ? null : id);
      else if (event.key === "r") keys.onAnswer(id);
      else if ((event.key === "a" || event.key === "t") && (isSelected || id !== null)) {
        if (!isSelected && id !== null) keys.onSelect(id);
        const isAssigning = event.key === "a";
        const field = isAssigning ? "button[aria-haspopup]" : "input";
        // After the bar is there.
        requestAnimationFrame(() => {
          const target = keys.bar.current?.querySelector<HTMLElement>(field);
          target?.focus();
          if (isAssigning) target?.click();
        });
      } else return;
      event.preventDefault();
    };
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  });
}
