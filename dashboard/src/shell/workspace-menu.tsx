// The name of the current workspace, and a menu of the others that the user is a member of. Owners create a further one here.
import { useState } from "react";
import { useLocation } from "wouter";
import { useUpdateSession } from "../api/session.ts";
import { useApiMutation, useWorkspace } from "../api/workspace.ts";
import { Dialog } from "../components/dialog.tsx";
import { Icon } from "../components/icon.tsx";
import { Link } from "../components/link.tsx";
import { Menu, menuItem } from "../components/menu.tsx";
import { NameForm } from "../pages/settings/name-form.tsx";
import styles from "./shell.module.css";

export function WorkspaceMenu() {
  const { session, workspace, isOwner } = useWorkspace();
  const [isCreating, setCreating] = useState(false);
  const mayCreate = isOwner && session.mayCreateWorkspace;
  if (session.workspaces.length < 2 && !mayCreate) {
    return <span className={styles.workspace}>{workspace.name}</span>;
  }
  return (
    <>
      <Menu
        label="Switch workspace"
        button={
          <>
            <span className={styles.workspaceName}>{workspace.name}</span>
            <Icon name="down" />
          </>
        }
      >
        {session.workspaces.map(({ id, name }) => (
          <Link
            key={id}
            href={`~/w/${id}/overview`}
            aria-current={id === workspace.id ? "true" : undefined}
            {...menuItem}
          >
            <span className={styles.workspaceName}>{name}</span>
            {id === workspace.id ? <Icon name="check" size={16} /> : null}
          </Link>
        ))}
        {mayCreate ? (
          <>
            <hr />
            <button type="button" {...menuItem} onClick={() => setCreating(true)}>
              New workspace
            </button>
          </>
        ) : null}
      </Menu>
      {isCreating ? <NewWorkspace onClose={() => setCreating(false)} /> : null}
    </>
  );
}

function NewWorkspace({ onClose }: { onClose: () => void }) {
  const [, navigate] = useLocation();
  const updateSession = useUpdateSession();
  const create = useApiMutation("POST /workspaces/:workspace/workspaces");
  const save = (name: string) =>
    create.mutate(
      { body: { name } },
      {
        onSuccess: (session) => {
          updateSession(session);
          navigate(`~/w/${session.workspaceId}/overview`);
        },
      },
    );
  return (
    <Dialog title="New workspace" onClose={onClose}>
      <p>It has its own apps, channels, keys and members. You become its owner.</p>
      <NameForm label="Name" submitLabel="Create the workspace" state={create} onSave={save} />
    </Dialog>
  );
}
