// The work on one review: tags, who looks after it, notes, and who changed what.
import { useState } from "react";
import type { ReviewWorkView } from "../../../../src/features/triage/contract.ts";
import { useApiMutation, useApiQuery } from "../../api/workspace.ts";
import { ActionButton } from "../../components/action-button.tsx";
import { Button } from "../../components/button.tsx";
import { Card } from "../../components/card.tsx";
import { RemovableChip } from "../../components/chip.tsx";
import { TextArea, TextField } from "../../components/field.tsx";
import { Form } from "../../components/form.tsx";
import { QueryView } from "../../components/query-view.tsx";
import { Time } from "../../components/time.tsx";
import { describeChange } from "../../format/audit.ts";
import { AssignMenu } from "./assign-menu.tsx";
import styles from "./work.module.css";

const workRoute = "GET /workspaces/:workspace/reviews/:review/work" as const;
const changeRoute = "PATCH /workspaces/:workspace/reviews/:review/work" as const;
const noteRoute = "POST /workspaces/:workspace/notes" as const;
/** The routes that show the triage of reviews. */
export const workRoutes = [
  workRoute,
  "GET /workspaces/:workspace/reviews",
  "GET /workspaces/:workspace/reviews/summary",
  "GET /workspaces/:workspace/tags",
  "GET /workspaces/:workspace/alerts",
] as const;

type ReviewPath = { review: string };

export function WorkCard({ path }: { path: ReviewPath }) {
  const query = useApiQuery(workRoute, { path });
  return (
    <Card title="Triage" hint="Everybody in the workspace sees tags, assignee, status and notes">
      <QueryView query={query} height={320} loadingLabel="Loading tags and notes">
        {(work) => (
          <div className={styles.work}>
            <div className={styles.state}>
              <Assignee path={path} work={work} />
              <Status path={path} work={work} />
            </div>
            <Tags path={path} work={work} />
            <Notes path={path} work={work} />
            <Trail work={work} />
          </div>
        )}
      </QueryView>
    </Card>
  );
}

type WorkProps = { path: ReviewPath; work: ReviewWorkView };

function Tags({ path, work }: WorkProps) {
  const [text, setText] = useState("");
  const change = useApiMutation(changeRoute, workRoutes);
  const add = () => {
    const tag = text.trim();
    if (tag === "") return;
    change.mutate({ path, body: { addedTags: [tag] } });
    setText("");
  };
  return (
    <div className={styles.notes}>
      {work.tags.length > 0 ? (
        <div className={styles.tags}>
          {work.tags.map((tag) => (
            <RemovableChip
              key={tag}
              action="Remove the tag"
              onRemove={() => change.mutate({ path, body: { removedTags: [tag] } })}
            >
              {tag}
            </RemovableChip>
          ))}
        </div>
      ) : null}
      <Form submitLabel="Add the tag" state={change} isSecondary onSubmit={add}>
        <TextField label="Tag" maxLength={40} value={text} onValueChange={setText} />
      </Form>
    </div>
  );
}

function Assignee({ path, work }: WorkProps) {
  const change = useApiMutation(changeRoute, workRoutes);
  return (
    <AssignMenu
      label=" (assign this review)"
      button={work.assignee ? `Assigned to ${work.assignee.name}` : "Not assigned"}
      framed
      isAssigned={work.assignee !== null}
      onAssign={(assignee) => change.mutate({ path, body: { assignee } })}
    />
  );
}

function Status({ path, work: { isDone } }: WorkProps) {
  const change = useApiMutation(changeRoute, workRoutes);
  return (
    <Button
      busy={change.isPending}
      onClick={() => change.mutate({ path, body: { isDone: !isDone } })}
    >
      {isDone ? "Open again" : "Mark as done"}
    </Button>
  );
}

function Notes({ path, work }: WorkProps) {
  const [text, setText] = useState("");
  const add = useApiMutation(noteRoute, workRoutes);
  const save = () =>
    add.mutate({ body: { review: path.review, text } }, { onSuccess: () => setText("") });
  return (
    <div className={styles.notes}>
      {work.notes.map((note) => (
        <article key={note.id} className={styles.note}>
          <p className={styles.from}>
            <strong>{note.author ?? "Somebody who left"}</strong> <Time at={note.at} relative />
            {note.canDelete ? (
              <ActionButton
                small
                route="DELETE /workspaces/:workspace/notes/:note"
                input={{ path: { note: note.id } }}
                affected={workRoutes}
              >
                Delete
              </ActionButton>
            ) : null}
          </p>
          <p dir="auto">{note.text}</p>
        </article>
      ))}
      <Form submitLabel="Add the note" state={add} isSecondary onSubmit={save}>
        <TextArea
          label="Note"
          required
          rows={2}
          maxLength={4_000}
          value={text}
          onValueChange={setText}
        />
      </Form>
    </div>
  );
}

function Trail({ work: { trail } }: { work: ReviewWorkView }) {
  if (trail.length === 0) return null;
  return (
    <details className={styles.trail}>
      <summary>History</summary>
      <ul>
        {trail.map((entry) => (
          <li key={entry.id}>
            <Time at={entry.at} />: {entry.actor} {describeChange(entry)}
          </li>
        ))}
      </ul>
    </details>
  );
}
