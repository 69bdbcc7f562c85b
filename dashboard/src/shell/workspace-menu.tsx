// The name of the current workspace, and a menu of the others that the user is a member of.
import { Link } from "wouter";
import { useWorkspace } from "../api/workspace.ts";
import { Icon } from "../components/icon.tsx";
import { Menu, menuItem } from "../components/menu.tsx";
import styles from "./shell.module.css";

export function WorkspaceMenu() {
  const { session, workspace } = useWorkspace();
  if (session.workspaces.length < 2) {
    return <span className={styles.workspace}>{workspace.name}</span>;
  }
  return (
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
    </Menu>
  );
}
