// Entries of the audit log in words: the action, after the user's name.

type Entry = { action: string; detail: Record<string, unknown> };

const sentences: Record<string, (detail: Record<string, unknown>) => string> = {
  "review.tagged": ({ added, removed }) =>
    [
      ...(isFilled(added) ? [`added the tag ${added.join(", ")}`] : []),
      ...(isFilled(removed) ? [`removed the tag ${removed.join(", ")}`] : []),
    ].join(" and "),
  "review.assigned": ({ assignee }) =>
    typeof assignee === "string" ? `assigned it to ${assignee}` : "assigned it to nobody",
  "review.done": () => "marked it as done",
  "review.reopened": () => "opened it again",
  "review.note_added": () => "wrote a note",
  "review.note_removed": () => "deleted a note",
};

export function describeChange({ action, detail }: Entry): string {
  return sentences[action]?.(detail) ?? actionName(action);
}

/** `channel.secret_rotated` is `Channel: secret rotated`. */
export function actionName(action: string): string {
  const [noun = "", verb = ""] = action.replaceAll("_", " ").split(".");
  return `${noun.charAt(0).toUpperCase()}${noun.slice(1)}: ${verb}`;
}

/** The details in one line: `name Alarm, url https://…`. */
export function describeDetail(detail: Record<string, unknown>): string {
  return Object.entries(detail)
    .filter(([, value]) => value !== null && value !== "" && !isEmptyList(value))
    .map(([name, value]) => `${name} ${Array.isArray(value) ? value.join(", ") : String(value)}`)
    .join(" · ");
}

function isFilled(value: unknown): value is string[] {
  return Array.isArray(value) && value.length > 0;
}

function isEmptyList(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0;
}
