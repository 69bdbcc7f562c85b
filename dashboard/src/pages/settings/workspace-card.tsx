// The workspace's name and plan.
import type { Workspace } from "../../../../src/dashboard-api/contract/settings.ts";
import { useSessionUpdate } from "../../api/session.ts";
import { useChange, usePlace } from "../../api/workspace.ts";
import { Card } from "../../components/card.tsx";
import { Time } from "../../components/time.tsx";
import { useToast } from "../../components/toast.tsx";
import { capitalised } from "../../format/names.ts";
import { NameForm } from "./name-form.tsx";
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
  const { session } = usePlace();
  const updateSession = useSessionUpdate();
  const say = useToast();
  const rename = useChange("PATCH /workspaces/:workspace/settings", [
    "GET /workspaces/:workspace/settings",
  ]);
  const save = (name: string) =>
    rename.mutate(
      { body: { name } },
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
  return <NameForm label="Name" name={workspace.name} saving={rename} onSave={save} />;
}
