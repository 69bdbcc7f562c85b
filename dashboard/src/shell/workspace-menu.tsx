// Says which workspace this is, and leads to the others a person belongs to.
import { Link } from "wouter";
import { usePlace } from "../api/workspace.ts";
import { Icon } from "../components/icon.tsx";
import { Menu } from "../components/menu.tsx";
import styles from "./shell.module.css";

export function WorkspaceMenu() {
  const { session, workspace } = usePlace();
  if (session.workspaces.length < 2) {
    return <span className={styles.workspace}>{workspace.name}</span>;
  }
  return (
    <Menu
      label="Change the workspace"
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
        >
          <span className={styles.workspaceName}>{name}</span>
          {id === workspace.id ? <Icon name="check" size={16} /> : null}
        </Link>
      ))}
    </Menu>
  );
}
