// The workspace's name and plan, and its deletion.
import type { Workspace } from "../../../../src/dashboard-api/contract/settings.ts";
import { describeError } from "../../api/http-request.ts";
import { useUpdateSession } from "../../api/session.ts";
import { useApiMutation, useApiQuery, useWorkspace } from "../../api/workspace.ts";
import { Card } from "../../components/card.tsx";
import { ConfirmButton } from "../../components/confirm-button.tsx";
import { CopyButton } from "../../components/copy-button.tsx";
import { Switch } from "../../components/field.tsx";
import { Time } from "../../components/time.tsx";
import { useToast } from "../../components/toast.tsx";
import { capitalised } from "../../format/capitalised.ts";
import { NameForm } from "./name-form.tsx";
import styles from "./settings.module.css";

export function WorkspaceCard({ workspace }: { workspace: Workspace }) {
  const { isOwner } = useWorkspace();
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
            <dt>Workspace ID</dt>
            <dd className={styles.copyable}>
              <code>{workspace.id}</code>
              <CopyButton text={workspace.id} confirmation="Workspace ID copied" />
            </dd>
          </div>
        </dl>
        {isOwner ? <RenameWorkspace workspace={workspace} /> : null}
        <SecondFactorRule workspace={workspace} />
        <p className={styles.soft}>
          The operator changes the plan:{" "}
          <code>
            starpost workspace set-plan {workspace.id}{" "}
            {workspace.plan === "studio" ? "starter" : "studio"}
          </code>
        </p>
        {isOwner ? <DeleteWorkspace name={workspace.name} /> : null}
      </div>
    </Card>
  );
}

function DeleteWorkspace({ name }: { name: string }) {
  const remove = useApiMutation("DELETE /workspaces/:workspace", []);
  const confirm = async () => {
    await remove.mutateAsync({});
    // A full reload, because the session still lists the workspace.
    window.location.assign("/");
  };
  return (
    <div>
      <ConfirmButton
        label="Delete this workspace"
        title={`Delete ${name}?`}
        confirmLabel="Delete the workspace"
        onConfirm={confirm}
      >
        Its apps with their reviews, channels, keys and links are deleted for all members. Reviews
        of an app that another workspace follows stay there. This can't be undone.
      </ConfirmButton>
    </div>
  );
}

function SecondFactorRule({ workspace }: { workspace: Workspace }) {
  const { isOwner } = useWorkspace();
  const showToast = useToast();
  const own = useApiQuery("GET /session/second-factor", {});
  const change = useApiMutation("PATCH /workspaces/:workspace/settings", [
    "GET /workspaces/:workspace/settings",
  ]);
  const { requiresSecondFactor: on } = workspace;
  if (!isOwner) {
    return on ? <p className={styles.soft}>All members need two-factor authentication.</p> : null;
  }
  const isLocked = !on && own.data?.isOn !== true;
  return (
    <Switch
      label="Require two-factor authentication"
      hint={
        isLocked
          ? "Set up your own first, under You."
          : "Members without it see nothing of this workspace until they have set it up."
      }
      on={on}
      isDisabled={isLocked || change.isPending}
      onChange={(requiresSecondFactor) =>
        change.mutate(
          { body: { requiresSecondFactor, version: workspace.version } },
          {
            onSuccess: () => showToast("Saved"),
            onError: (error) => showToast(describeError(error)),
          },
        )
      }
    />
  );
}

function RenameWorkspace({ workspace }: { workspace: Workspace }) {
  const { session } = useWorkspace();
  const updateSession = useUpdateSession();
  const showToast = useToast();
  const rename = useApiMutation("PATCH /workspaces/:workspace/settings", [
    "GET /workspaces/:workspace/settings",
  ]);
  const save = (name: string) =>
    rename.mutate(
      { body: { name, version: workspace.version } },
      {
        onSuccess: ({ workspace: { id, name } }) => {
          const workspaces = session.workspaces.map((one) =>
            one.id === id ? { ...one, name } : one,
          );
          updateSession({ ...session, workspaces });
          showToast("Saved");
        },
      },
    );
  return <NameForm label="Name" name={workspace.name} state={rename} onSave={save} />;
}
