// Chooses the member who looks after reviews. A menu: an arrow key on a native list would assign at once.
import type { ReactNode } from "react";
import { useApiQuery } from "../../api/workspace.ts";
import { Menu, menuItem } from "../../components/menu.tsx";

type AssignMenuProps = {
  /** Read out after the button's words. */
  label: string;
  button: ReactNode;
  /** Someone may have them, whom the choice "Nobody" takes off. */
  isAssigned: boolean;
  framed?: boolean;
  onAssign: (assigneeId: string | null) => void;
};

export function AssignMenu({ label, button, isAssigned, framed, onAssign }: AssignMenuProps) {
  const members = useApiQuery("GET /workspaces/:workspace/members", {}).data?.members ?? [];
  return (
    <Menu label={label} button={button} framed={framed === true}>
      {members.map(({ userId, name, email }) => (
        <button key={userId} type="button" {...menuItem} onClick={() => onAssign(userId)}>
          {name || email}
        </button>
      ))}
      {isAssigned ? (
        <button type="button" {...menuItem} onClick={() => onAssign(null)}>
          Nobody
        </button>
      ) : null}
    </Menu>
  );
}
