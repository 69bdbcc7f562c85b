// Chooses the member who looks after reviews.
import { useApiQuery } from "../../api/workspace.ts";
import { Select } from "../../components/field.tsx";

type Assignee = { userId: string; name: string };

type AssigneeSelectProps = {
  label: string;
  hideLabel?: boolean;
  /** undefined: reviews with different ones, or none chosen yet. */
  assignee: Assignee | null | undefined;
  onAssign: (assigneeId: string | null) => void;
};

export function AssigneeSelect({ label, hideLabel, assignee, onAssign }: AssigneeSelectProps) {
  const members = useApiQuery("GET /workspaces/:workspace/members", {}).data?.members ?? [];
  // Former members may still have it.
  const isGone = assignee && !members.some(({ userId }) => userId === assignee.userId);
  return (
    <Select
      label={label}
      {...(hideLabel ? { hideLabel } : {})}
      value={assignee === undefined ? undecided : (assignee?.userId ?? "")}
      options={[
        ...(assignee === undefined ? [{ value: undecided, label: "Assign to …" }] : []),
        { value: "", label: "Nobody" },
        ...(isGone ? [{ value: assignee.userId, label: assignee.name }] : []),
        ...members.map(({ userId, name }) => ({ value: userId, label: name })),
      ]}
      onValueChange={(id) => id !== undecided && onAssign(id || null)}
    />
  );
}

const undecided = "undecided";
