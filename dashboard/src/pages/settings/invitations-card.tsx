// Invitations by link: created here, shown once, and revoked here.
import { useState } from "react";
import type { Role } from "../../../../src/dashboard-api/contract/session.ts";
import type {
  Invitation,
  SettingsRoutes,
} from "../../../../src/dashboard-api/contract/settings.ts";
import { fieldErrors } from "../../api/http-request.ts";
import { useApiMutation, useApiQuery } from "../../api/workspace.ts";
import { Button } from "../../components/button.tsx";
import { Card } from "../../components/card.tsx";
import { ConfirmButton } from "../../components/confirm-button.tsx";
import { CodeLine } from "../../components/copy-button.tsx";
import { Dialog, DialogFooter } from "../../components/dialog.tsx";
import { TextField } from "../../components/field.tsx";
import { FormDialog } from "../../components/form.tsx";
import { RadioGroup } from "../../components/option-group.tsx";
import { QueryView } from "../../components/query-view.tsx";
import { Table, type TableColumn } from "../../components/table.tsx";
import { Time } from "../../components/time.tsx";
import { capitalised } from "../../format/capitalised.ts";
import { roles } from "./members-card.tsx";
import styles from "./settings.module.css";

type CreatedInvitation = SettingsRoutes["POST /workspaces/:workspace/invitations"]["response"];

const invitationsRoute = "GET /workspaces/:workspace/invitations" as const;

export function InvitationsCard() {
  const [isInviting, setInviting] = useState(false);
  const query = useApiQuery(invitationsRoute, {});
  return (
    <Card
      title="Invitations"
      hint="A link works once and for 7 days"
      tools={<Button onClick={() => setInviting(true)}>Invite</Button>}
    >
      <QueryView query={query} height={40} loadingLabel="Loading invitations">
        {({ invitations }) =>
          invitations.length === 0 ? (
            <p className={styles.soft}>No open invitations.</p>
          ) : (
            <Table
              caption="Open invitations"
              rows={invitations}
              rowKey={({ id }) => id}
              columns={columns}
              stacked
            />
          )
        }
      </QueryView>
      {isInviting ? (
        <InviteDialog
          isMailSet={query.data?.isMailSet ?? false}
          onClose={() => setInviting(false)}
        />
      ) : null}
    </Card>
  );
}

const columns: TableColumn<Invitation>[] = [
  { header: "For", cell: ({ email }) => email ?? "Anyone with the link" },
  { header: "Role", cell: ({ role }) => capitalised(role) },
  { header: "Expires", cell: ({ endsAt }) => <Time at={endsAt} relative /> },
  {
    header: "Revoke",
    hideHeader: true,
    alignEnd: true,
    cell: (invitation) => <RevokeInvitation invitation={invitation} />,
  },
];

function RevokeInvitation({ invitation }: { invitation: Invitation }) {
  const remove = useApiMutation("DELETE /workspaces/:workspace/invitations/:invitation", [
    invitationsRoute,
  ]);
  return (
    <ConfirmButton
      label="Revoke"
      title="Revoke the invitation?"
      confirmLabel="Revoke"
      onConfirm={() => remove.mutateAsync({ path: { invitation: invitation.id } })}
    >
      Its link stops working immediately.
    </ConfirmButton>
  );
}

function describeSending({ invitation, mail }: CreatedInvitation): string {
  if (mail?.isSent) return `An e-mail with this link was sent to ${invitation.email}.`;
  const instead = "Send this link to the person you invite.";
  return mail ? `The e-mail could not be sent: ${mail.reason}. ${instead}` : instead;
}

function InviteDialog({ isMailSet, onClose }: { isMailSet: boolean; onClose: () => void }) {
  const [email, setEmail] = useState("");
  const [role, setRole] = useState<Role>("member");
  const invite = useApiMutation("POST /workspaces/:workspace/invitations", [invitationsRoute]);
  if (invite.data) {
    return (
      <Dialog title="Invitation link" onClose={onClose}>
        <p>{describeSending(invite.data)} It works once and is not shown again.</p>
        <CodeLine code={new URL(invite.data.link, window.location.origin).href} label="Link" />
        <DialogFooter>
          <Button kind="primary" onClick={onClose}>
            Done
          </Button>
        </DialogFooter>
      </Dialog>
    );
  }
  return (
    <FormDialog
      title="Invite"
      submitLabel="Create link"
      state={invite}
      fieldNames={["email"]}
      onClose={onClose}
      onSubmit={() => invite.mutate({ body: { email: email.trim() || null, role } })}
    >
      <TextField
        label="E-mail (optional)"
        hint={
          isMailSet
            ? "The link is sent to this address, and only it can use the link. @example.com is for everybody of a domain."
            : "Only this address can use the link; @example.com is for everybody of a domain. You send the link yourself."
        }
        value={email}
        error={fieldErrors(invite.error)["email"]}
        onValueChange={setEmail}
      />
      <RadioGroup legend="Role" options={roles} selected={role} onSelect={setRole} />
    </FormDialog>
  );
}
