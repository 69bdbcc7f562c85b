// The members of the workspace and their roles.
import type { Member } from "../../../../src/dashboard-api/contract/settings.ts";
import { describeError } from "../../api/http-request.ts";
import { useApiMutation, useApiQuery, useWorkspace } from "../../api/workspace.ts";
import { Card } from "../../components/card.tsx";
import { Chip } from "../../components/chip.tsx";
import { ConfirmButton } from "../../components/confirm-button.tsx";
import { Select } from "../../components/field.tsx";
import { QueryView } from "../../components/query-view.tsx";
import { Table, type TableColumn } from "../../components/table.tsx";
import { Time } from "../../components/time.tsx";
import { useToast } from "../../components/toast.tsx";
import { formatQuantity } from "../../format/numbers.ts";
import styles from "./settings.module.css";

const membersRoute = "GET /workspaces/:workspace/members" as const;

/** From the least to the most that they allow. */
export const roles = [
  { value: "viewer", label: "Viewer" },
  { value: "member", label: "Member" },
  { value: "owner", label: "Owner" },
] as const;

const secondFactorColumn: TableColumn<Member> = {
  header: "Two-factor",
  cell: ({ hasSecondFactor }) => (hasSecondFactor ? <Chip>On</Chip> : "Off"),
};

export function MembersCard() {
  const { isOwner } = useWorkspace();
  const query = useApiQuery(membersRoute, {});
  const columns: TableColumn<Member>[] = [
    {
      header: "Member",
      cell: ({ name, email, isMe }) => (
        <div>
          <strong>{name || email}</strong> {isMe ? <Chip>You</Chip> : null}
          <div className={styles.soft}>{email}</div>
        </div>
      ),
    },
    { header: "Role", cell: (member) => <RoleCell member={member} /> },
    ...(isOwner ? [secondFactorColumn] : []),
    { header: "Joined", cell: ({ joinedAt }) => <Time at={joinedAt} /> },
    {
      header: "Remove",
      hideHeader: true,
      alignEnd: true,
      cell: (member) => <RemoveMember member={member} />,
    },
  ];
  return (
    <Card
      title="Members"
      hint="Owners can do everything. Members can't delete, see secrets or manage members. Viewers only read, and see no channels, keys or notes."
    >
      <QueryView query={query} height={120} loadingLabel="Loading members">
        {({ members }) => (
          <Table
            caption="Members"
            rows={members}
            rowKey={({ userId }) => userId}
            columns={columns}
            stacked
          />
        )}
      </QueryView>
    </Card>
  );
}

function RoleCell({ member }: { member: Member }) {
  const { isOwner } = useWorkspace();
  const showToast = useToast();
  const change = useApiMutation("PATCH /workspaces/:workspace/members/:user", [membersRoute]);
  if (!isOwner) return roles.find(({ value }) => value === member.role)?.label;
  const changeRole = (value: string) => {
    const role = roles.find((one) => one.value === value)?.value ?? member.role;
    change.mutate(
      { path: { user: member.userId }, body: { role } },
      { onSuccess: () => showToast("Saved"), onError: (error) => showToast(describeError(error)) },
    );
  };
  return (
    <Select
      label={`Role of ${member.name || member.email}`}
      hideLabel
      value={member.role}
      options={roles}
      onValueChange={changeRole}
    />
  );
}

function RemoveMember({ member }: { member: Member }) {
  const { isOwner } = useWorkspace();
  const showToast = useToast();
  const remove = useApiMutation("DELETE /workspaces/:workspace/members/:user", [membersRoute]);
  if (!isOwner && !member.isMe) return null;
  const confirm = async () => {
    const { channels, keys } = await remove.mutateAsync({ path: { user: member.userId } });
    // A full reload, because the session still lists the workspace that the user has just left.
    if (member.isMe) window.location.assign("/");
    else {
      const left = channels.length + keys.length;
      const note =
        left === 0
          ? ""
          : `. They left ${formatQuantity(left, "channel or key", "channels and keys")}: see What leaves`;
      showToast(`${member.name || member.email} was removed${note}`);
    }
  };
  return (
    <ConfirmButton
      label={member.isMe ? "Leave" : "Remove"}
      title={member.isMe ? "Leave this workspace?" : `Remove ${member.name || member.email}?`}
      confirmLabel={member.isMe ? "Leave" : "Remove"}
      onConfirm={confirm}
    >
      {member.isMe
        ? "You lose access immediately, links that you made end, and you need a new invitation to come back."
        : "They lose access immediately, and links that they made end. Their channels and API keys still work until an owner stops them: What leaves lists them."}
    </ConfirmButton>
  );
}
