// The people of the workspace and what they may do.
import type { Member } from "../../../../src/dashboard-api/contract/settings.ts";
import { describeError } from "../../api/http-request.ts";
import { useAnswer, useChange, usePlace } from "../../api/workspace.ts";
import { Card } from "../../components/card.tsx";
import { Chip } from "../../components/chip.tsx";
import { ConfirmButton } from "../../components/confirm-button.tsx";
import { ErrorNote, Skeleton } from "../../components/feedback.tsx";
import { Select } from "../../components/field.tsx";
import { Table, type TableColumn } from "../../components/table.tsx";
import { Time } from "../../components/time.tsx";
import { useToast } from "../../components/toast.tsx";
import styles from "./settings.module.css";

const membersRoute = "GET /workspaces/:workspace/members" as const;

const roles = [
  { value: "owner", label: "Owner" },
  { value: "member", label: "Member" },
];

export function MembersCard() {
  const answer = useAnswer(membersRoute, {});
  const columns: TableColumn<Member>[] = [
    {
      head: "Person",
      cell: ({ name, email, isMe }) => (
        <div>
          <strong>{name || email}</strong> {isMe ? <Chip>You</Chip> : null}
          <div className={styles.soft}>{email}</div>
        </div>
      ),
    },
    { head: "Role", cell: (member) => <Role member={member} /> },
    { head: "Joined", cell: ({ joinedAt }) => <Time at={joinedAt} /> },
    { head: "Remove", hideHead: true, end: true, cell: (member) => <Remove member={member} /> },
  ];
  return (
    <Card
      title="Members"
      hint="Owners may do everything; members can't delete, see secrets or change people"
    >
      {answer.isPending ? <Skeleton height={120} label="Loading members" /> : null}
      {answer.isError ? (
        <ErrorNote error={answer.error} onRetry={() => void answer.refetch()} />
      ) : null}
      {answer.data ? (
        <Table
          caption="Members"
          rows={answer.data.members}
          rowKey={({ userId }) => userId}
          columns={columns}
          stacked
        />
      ) : null}
    </Card>
  );
}

function Role({ member }: { member: Member }) {
  const { isOwner } = usePlace();
  const say = useToast();
  const change = useChange("PATCH /workspaces/:workspace/members/:user", [membersRoute]);
  if (!isOwner) return roles.find(({ value }) => value === member.role)?.label;
  const choose = (role: string) =>
    change.mutate(
      { path: { user: member.userId }, body: { role: role === "owner" ? "owner" : "member" } },
      { onSuccess: () => say("Saved"), onError: (error) => say(describeError(error)) },
    );
  return (
    <Select
      label={`Role of ${member.name || member.email}`}
      hideLabel
      value={member.role}
      options={roles}
      onText={choose}
    />
  );
}

function Remove({ member }: { member: Member }) {
  const { isOwner } = usePlace();
  const say = useToast();
  const remove = useChange("DELETE /workspaces/:workspace/members/:user", [membersRoute]);
  if (!isOwner && !member.isMe) return null;
  const confirm = async () => {
    await remove.mutateAsync({ path: { user: member.userId } });
    // The session still lists a workspace that one has just left.
    if (member.isMe) window.location.assign("/");
    else say(`${member.name || member.email} was removed`);
  };
  return (
    <ConfirmButton
      label={member.isMe ? "Leave" : "Remove"}
      title={member.isMe ? "Leave this workspace?" : `Remove ${member.name || member.email}?`}
      confirmLabel={member.isMe ? "Leave" : "Remove"}
      onConfirm={confirm}
    >
      {member.isMe
        ? "You lose access at once and need a new invitation to come back."
        : "They lose access at once. API keys and channels stay."}
    </ConfirmButton>
  );
}
