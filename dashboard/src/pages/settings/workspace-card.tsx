// The workspace's name and plan.
import { useState } from "react";
import type { Workspace } from "../../../../src/console/contract/settings.ts";
import { Button } from "../../parts/button.tsx";
import { Card } from "../../parts/card.tsx";
import { TextField } from "../../parts/field.tsx";
import { ErrorNote } from "../../parts/notice.tsx";
import { Time } from "../../parts/time.tsx";
import { useToast } from "../../parts/toast.tsx";
import { fieldErrors } from "../../session/request.ts";
import { useSessionUpdate } from "../../session/session.ts";
import { useChange, usePlace } from "../../session/workspace.tsx";
import { capitalised } from "../../words/names.ts";
import styles from "./settings.module.css";

export function WorkspaceCard({ workspace }: { workspace: Workspace }) {
  const { isOwner } = usePlace();
  return (
    <Card title="Workspace">
      <div className={styles.stack}>
        <dl className={styles.facts}>
          <div>
            <dt>Plan</dt>
            <dd>{capitalised(workspace.plan)}</dd>
          </div>
          <div>
            <dt>Created</dt>
            <dd>
              <Time at={workspace.createdAt} />
            </dd>
          </div>
          <div>
            <dt>Id, for the command line</dt>
            <dd>
              <code>{workspace.id}</code>
            </dd>
          </div>
        </dl>
        {isOwner ? <Rename workspace={workspace} /> : null}
        <p className={styles.soft}>
          The operator changes the plan:{" "}
          <code>starpost workspace set-plan {workspace.id} studio</code>
        </p>
      </div>
    </Card>
  );
}

function Rename({ workspace }: { workspace: Workspace }) {
  const [name, setName] = useState(workspace.name);
  const { session } = usePlace();
  const updateSession = useSessionUpdate();
  const say = useToast();
  const rename = useChange("PATCH /workspaces/:workspace/settings", [
    "GET /workspaces/:workspace/settings",
  ]);
  const save = () =>
    rename.mutate(
      { body: { name: name.trim() } },
      {
        onSuccess: (answer) => {
          const renamed = { name: answer.workspace.name };
          const workspaces = session.workspaces.map((known) =>
            known.id === workspace.id ? { ...known, ...renamed } : known,
          );
          updateSession({ ...session, workspaces });
          say("Saved");
        },
      },
    );
  return (
    <form
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault();
        save();
      }}
    >
      <TextField
        label="Name"
        required
        maxLength={200}
        value={name}
        error={fieldErrors(rename.error)["name"]}
        onText={setName}
      />
      {rename.isError ? <ErrorNote error={rename.error} /> : null}
      <div className={styles.actions}>
        <Button type="submit" busy={rename.isPending}>
          Save
        </Button>
      </div>
    </form>
  );
}
