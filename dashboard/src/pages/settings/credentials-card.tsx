// The workspace's own accounts at the stores. What is written here is never shown again.
import { useState } from "react";
import type { Credential } from "../../../../src/dashboard-api/contract/settings.ts";
import { useAnswer, useChange } from "../../api/workspace.ts";
import { Button } from "../../components/button.tsx";
import { Card } from "../../components/card.tsx";
import { ConfirmButton } from "../../components/confirm-button.tsx";
import { ErrorNote, Skeleton } from "../../components/feedback.tsx";
import { Table, type TableColumn } from "../../components/table.tsx";
import { Time } from "../../components/time.tsx";
import { storeName } from "../../format/names.ts";
import { NewCredential } from "./new-credential.tsx";
import styles from "./settings.module.css";

export const credentialsRoute = "GET /workspaces/:workspace/credentials" as const;

export function CredentialsCard() {
  const [isAdding, setAdding] = useState(false);
  const answer = useAnswer(credentialsRoute, {});
  const columns: TableColumn<Credential>[] = [
    {
      head: "Account",
      cell: ({ name, subject }) => (
        <div>
          <strong>{name}</strong>
          <div className={styles.soft}>{subject}</div>
        </div>
      ),
    },
    { head: "Store", cell: ({ store }) => storeName(store) },
    { head: "Apps", cell: ({ appCount }) => appCount, end: true },
    { head: "Added", cell: ({ createdAt }) => <Time at={createdAt} /> },
    { head: "Delete", hideHead: true, end: true, cell: (row) => <Delete credential={row} /> },
  ];
  return (
    <Card
      title="Store accounts"
      hint="With your own account, every review of your app is read through the store's API"
      tools={<Button onClick={() => setAdding(true)}>Add an account</Button>}
    >
      {answer.isPending ? <Skeleton height={40} label="Loading store accounts" /> : null}
      {answer.isError ? (
        <ErrorNote error={answer.error} onRetry={() => void answer.refetch()} />
      ) : null}
      {answer.data?.credentials.length === 0 ? (
        <p className={styles.soft}>None: apps are read from the stores' public pages.</p>
      ) : null}
      {answer.data?.credentials.length ? (
        <Table
          caption="Store accounts"
          rows={answer.data.credentials}
          rowKey={({ id }) => id}
          columns={columns}
          stacked
        />
      ) : null}
      {isAdding ? <NewCredential onClose={() => setAdding(false)} /> : null}
    </Card>
  );
}

function Delete({ credential }: { credential: Credential }) {
  const remove = useChange("DELETE /workspaces/:workspace/credentials/:credential", [
    credentialsRoute,
  ]);
  return (
    <ConfirmButton
      label="Delete"
      title={`Delete ${credential.name}?`}
      confirmLabel="Delete the account"
      onConfirm={() => remove.mutateAsync({ path: { credential: credential.id } })}
    >
      The key is erased here. Revoke it at the store too if nobody else uses it.
    </ConfirmButton>
  );
}
