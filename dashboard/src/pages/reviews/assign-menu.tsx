// Chooses the member who looks after reviews. A menu: an arrow key on a native list would assign at once.
import { type ReactNode, useEffect, useState } from "react";
import { useApiQuery } from "../../api/workspace.ts";
import { TextField } from "../../components/field.tsx";
import { Menu, menuItem } from "../../components/menu.tsx";
import { manyMin } from "../../components/picker.tsx";

type AssignMenuProps = {
  /** Read out after the button's words. */
  label: string;
  button: ReactNode;
  /** Someone may have them, whom the choice "Nobody" takes off. */
  isAssigned: boolean;
  framed?: boolean;
  onAssign: (assignee: string | null) => void;
};

export function AssignMenu({ label, button, framed = false, ...choices }: AssignMenuProps) {
  const [text, setText] = useState("");
  return (
    <Menu
      label={label}
      button={button}
      framed={framed}
      header={<Search text={text} onText={setText} />}
    >
      <Choices {...choices} text={text} />
    </Menu>
  );
}

/** Viewers see no triage: a review of theirs would be lost. */
function useAssignable() {
  const members = useApiQuery("GET /workspaces/:workspace/members", {}).data?.members ?? [];
  return members.filter(({ role }) => role !== "viewer");
}

function Search({ text, onText }: { text: string; onText: (text: string) => void }) {
  const isNeeded = useAssignable().length >= manyMin;
  // Empty again when the menu is opened the next time.
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, at the end
  useEffect(() => () => onText(""), []);
  if (!isNeeded) return null;
  return (
    <TextField
      label="Search members"
      hideLabel
      type="search"
      placeholder="Search members"
      autoComplete="off"
      maxLength={100}
      value={text}
      ref={focus}
      onValueChange={onText}
    />
  );
}

/** Members may arrive after the menu was opened. */
const focus = (element: HTMLElement | null) => element?.focus();

type ChoicesProps = Pick<AssignMenuProps, "isAssigned" | "onAssign"> & { text: string };

function Choices({ isAssigned, onAssign, text }: ChoicesProps) {
  const entry = text.trim().toLowerCase();
  const assignable = useAssignable();
  const found = assignable.filter(({ name, email }) =>
    `${name} ${email}`.toLowerCase().includes(entry),
  );
  const isSearched = assignable.length >= manyMin;
  return (
    <>
      {found.map(({ userId, name, email }, index) => (
        <button
          key={userId}
          ref={index === 0 && !isSearched ? focus : undefined}
          type="button"
          {...menuItem}
          onClick={() => onAssign(userId)}
        >
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
