// The members of the workspace and their roles.
import { useState } from "react";
import type { Member } from "../../../../src/dashboard-api/contract/settings.ts";
import { useApiMutation, useApiQuery, useWorkspace } from "../../api/workspace.ts";
import { Card } from "../../components/card.tsx";
import { Chip } from "../../components/chip.tsx";
import { ConfirmButton, ConfirmDialog } from "../../components/confirm-button.tsx";
import { Menu, menuItem } from "../../components/menu.tsx";
import { QueryView } from "../../components/query-view.tsx";
import { Table, type TableColumn } from "../../components/table.tsx";
import { Time } from "../../components/time.tsx";
import { useToast } from "../../components/toast.tsx";
import { formatQuantity } from "../../format/numbers.ts";
import styles from "./settings.module.css";

const membersRoute = "GET /workspaces/:workspace/members" as const;

/** From the least to the most that they allow. */
export const roles = [
  {
    value: "viewer",
    label: "Viewer",
    allows: "Viewers only read, and see no channels, keys or notes.",
  },
  {
    value: "member",
    label: "Member",
    allows: "Members can't delete, see secrets or manage members.",
  },
  { value: "owner", label: "Owner", allows: "Owners can do everything, also remove you." },
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
  const [chosen, setChosen] = useState<(typeof roles)[number] | null>(null);
  const change = useApiMutation("PATCH /workspaces/:workspace/members/:user", [membersRoute]);
  const current = roles.find(({ value }) => value === member.role)?.label;
  if (!isOwner) return current;
  const name = member.name || member.email;
  return (
    <>
      <Menu label={`, role of ${name}`} button={current} framed>
        {roles
          .filter(({ value }) => value !== member.role)
          .map((role) => (
            <button key={role.value} type="button" {...menuItem} onClick={() => setChosen(role)}>
              {role.label}
            </button>
          ))}
      </Menu>
      {chosen ? (
        <ConfirmDialog
          title={`Change the role of ${name}?`}
          confirmLabel={`Make ${chosen.value === "owner" ? "an" : "a"} ${chosen.value}`}
          onClose={() => setChosen(null)}
          onConfirm={() =>
            change.mutateAsync({
              path: { user: member.userId },
              body: { role: chosen.value, version: member.version },
            })
          }
        >
          {`${current} becomes ${chosen.label}. ${chosen.allows}`}
        </ConfirmDialog>
      ) : null}
    </>
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
          : `. They left ${formatQuantity(left, "channel or key", "channels and keys")}: see Sharing and access`;
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
        : "They lose access immediately, and links that they made end. Their channels and API keys still work until an owner stops them: Sharing and access lists them."}
    </ConfirmButton>
  );
}
