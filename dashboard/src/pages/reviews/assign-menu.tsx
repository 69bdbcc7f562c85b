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

export function AssignMenu({ label, button, framed = false, ...choices }: AssignMenuProps) {
  return (
    <Menu label={label} button={button} framed={framed}>
      <Choices {...choices} />
    </Menu>
  );
}

function Choices({ isAssigned, onAssign }: Pick<AssignMenuProps, "isAssigned" | "onAssign">) {
  const members = useApiQuery("GET /workspaces/:workspace/members", {}).data?.members ?? [];
  return (
    <>
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
    </>
  );
}
