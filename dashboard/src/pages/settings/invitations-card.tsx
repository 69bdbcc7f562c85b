// Invitations by link: made here, shown once, taken back here.
import { useState } from "react";
import type { Invitation } from "../../../../src/dashboard-api/contract/settings.ts";
import { fieldErrors } from "../../api/http-request.ts";
import { useAnswer, useChange } from "../../api/workspace.ts";
import { Button } from "../../components/button.tsx";
import { Card } from "../../components/card.tsx";
import { ConfirmButton } from "../../components/confirm-button.tsx";
import { CodeLine } from "../../components/copy-button.tsx";
import { Dialog, DialogFoot } from "../../components/dialog.tsx";
import { ErrorNote, Skeleton } from "../../components/feedback.tsx";
import { TextField } from "../../components/field.tsx";
import { RadioGroup } from "../../components/option-group.tsx";
import { Table, type TableColumn } from "../../components/table.tsx";
import { Time } from "../../components/time.tsx";
import { capitalised } from "../../format/names.ts";
import styles from "./settings.module.css";

const invitationsRoute = "GET /workspaces/:workspace/invitations" as const;

export function InvitationsCard() {
  const [isInviting, setInviting] = useState(false);
  const answer = useAnswer(invitationsRoute, {});
  const columns: TableColumn<Invitation>[] = [
    { head: "For", cell: ({ email }) => email ?? "Whoever has the link" },
    { head: "Role", cell: ({ role }) => capitalised(role) },
    { head: "Ends", cell: ({ endsAt }) => <Time at={endsAt} relative /> },
    { head: "Take back", hideHead: true, end: true, cell: (row) => <TakeBack invitation={row} /> },
  ];
  return (
    <Card
      title="Invitations"
      hint="A link works once and for 7 days"
      tools={<Button onClick={() => setInviting(true)}>Invite somebody</Button>}
    >
      {answer.isPending ? <Skeleton height={40} label="Loading invitations" /> : null}
      {answer.isError ? (
        <ErrorNote error={answer.error} onRetry={() => void answer.refetch()} />
      ) : null}
      {answer.data?.invitations.length === 0 ? (
        <p className={styles.soft}>No invitation is open.</p>
      ) : null}
      {answer.data?.invitations.length ? (
        <Table
          caption="Open invitations"
          rows={answer.data.invitations}
          rowKey={({ id }) => id}
          columns={columns}
          stacked
        />
      ) : null}
      {isInviting ? <Invite onClose={() => setInviting(false)} /> : null}
    </Card>
  );
}

function TakeBack({ invitation }: { invitation: Invitation }) {
  const remove = useChange("DELETE /workspaces/:workspace/invitations/:invitation", [
    invitationsRoute,
  ]);
  return (
    <ConfirmButton
      label="Take back"
      title="Take the invitation back?"
      confirmLabel="Take back"
      onConfirm={() => remove.mutateAsync({ path: { invitation: invitation.id } })}
    >
      Its link stops working at once.
    </ConfirmButton>
  );
}

const roles = [
  { value: "member", label: "Member" },
  { value: "owner", label: "Owner" },
] as const;

function Invite({ onClose }: { onClose: () => void }) {
  const [email, setEmail] = useState("");
  const [role, setRole] = useState<"member" | "owner">("member");
  const invite = useChange("POST /workspaces/:workspace/invitations", [invitationsRoute]);
  if (invite.data) {
    return (
      <Dialog title="Invitation link" onClose={onClose}>
        <p>Send this link to the person: it works once, and it is not shown again.</p>
        <CodeLine code={new URL(invite.data.link, window.location.origin).href} label="Link" />
        <DialogFoot>
          <Button kind="primary" onClick={onClose}>
            Done
          </Button>
        </DialogFoot>
      </Dialog>
    );
  }
  return (
    <Dialog title="Invite somebody" onClose={onClose}>
      <form
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault();
          invite.mutate({ body: { email: email.trim() || null, role } });
        }}
      >
        <TextField
          label="E-mail (optional)"
          hint="Then only this address can use the link. Nothing is sent: you hand the link over."
          type="email"
          value={email}
          error={fieldErrors(invite.error)["email"]}
          onText={setEmail}
        />
        <RadioGroup legend="Role" choices={roles} chosen={role} onChoose={setRole} />
        {invite.isError ? <ErrorNote error={invite.error} /> : null}
        <DialogFoot>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" type="submit" busy={invite.isPending}>
            Make the link
          </Button>
        </DialogFoot>
      </form>
    </Dialog>
  );
}
