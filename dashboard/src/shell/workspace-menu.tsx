// The name of the current workspace, and a menu of the others that the user is a member of. Owners create a further one here.
import { useState } from "react";
import { Link, useLocation } from "wouter";
import { fieldErrors } from "../api/http-request.ts";
import { useUpdateSession } from "../api/session.ts";
import { useApiMutation, useWorkspace } from "../api/workspace.ts";
import { TextField } from "../components/field.tsx";
import { FormDialog } from "../components/form.tsx";
import { Icon } from "../components/icon.tsx";
import { Menu, menuItem } from "../components/menu.tsx";
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
  const [name, setName] = useState("");
  const [, navigate] = useLocation();
  const updateSession = useUpdateSession();
  const create = useApiMutation("POST /workspaces/:workspace/workspaces");
  const submit = () =>
    create.mutate(
      { body: { name: name.trim() } },
      {
        onSuccess: (session) => {
          updateSession(session);
          navigate(`~/w/${session.workspaceId}/overview`);
        },
      },
    );
  return (
    <FormDialog
      title="New workspace"
      submitLabel="Create the workspace"
      state={create}
      fieldNames={["name"]}
      onSubmit={submit}
      onClose={onClose}
    >
      <p>It has its own apps, channels, keys and members. You become its owner.</p>
      <TextField
        label="Name"
        required
        maxLength={200}
        value={name}
        error={fieldErrors(create.error)["name"]}
        onValueChange={setName}
      />
    </FormDialog>
  );
}
