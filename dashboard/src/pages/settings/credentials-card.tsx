// The workspace's own accounts at the stores. Their keys are never shown again.
import { useState } from "react";
import type { Credential } from "../../../../src/features/store-accounts/contract.ts";
import { useApiMutation, useApiQuery } from "../../api/workspace.ts";
import { Button } from "../../components/button.tsx";
import { Card } from "../../components/card.tsx";
import { ConfirmButton } from "../../components/confirm-button.tsx";
import { QueryView } from "../../components/query-view.tsx";
import { Table, type TableColumn } from "../../components/table.tsx";
import { Time } from "../../components/time.tsx";
import { storeName } from "../../format/stores.ts";
import { credentialsRoute, NewCredentialDialog } from "./new-credential.tsx";
import styles from "./settings.module.css";

export function CredentialsCard() {
  const [isAdding, setAdding] = useState(false);
  const query = useApiQuery(credentialsRoute, {});
  return (
    <Card
      title="Store accounts"
      hint="With your own account, every review of your app is read through the store's API"
      tools={<Button onClick={() => setAdding(true)}>Add an account</Button>}
    >
      <QueryView query={query} height={40} loadingLabel="Loading store accounts">
        {({ credentials }) =>
          credentials.length === 0 ? (
            <p className={styles.soft}>None. Apps are read from the stores' public pages.</p>
          ) : (
            <Table
              caption="Store accounts"
              rows={credentials}
              rowKey={({ id }) => id}
              columns={columns}
              stacked
            />
          )
        }
      </QueryView>
      {isAdding ? <NewCredentialDialog onClose={() => setAdding(false)} /> : null}
    </Card>
  );
}

const columns: TableColumn<Credential>[] = [
  {
    header: "Account",
    cell: ({ name, subject }) => (
      <div>
        <strong>{name}</strong>
        <div className={styles.soft}>{subject}</div>
      </div>
    ),
  },
  { header: "Store", cell: ({ store }) => storeName(store) },
  { header: "Apps", cell: ({ appCount }) => appCount, alignEnd: true },
  { header: "Added", cell: ({ createdAt }) => <Time at={createdAt} /> },
  {
    header: "Delete",
    hideHeader: true,
    alignEnd: true,
    cell: (credential) => <DeleteCredential credential={credential} />,
  },
];

function DeleteCredential({ credential }: { credential: Credential }) {
  const remove = useApiMutation("DELETE /workspaces/:workspace/credentials/:credential", [
    credentialsRoute,
  ]);
  return (
    <ConfirmButton
      label="Delete"
      title={`Delete ${credential.name}?`}
      confirmLabel="Delete the account"
      onConfirm={() => remove.mutateAsync({ path: { credential: credential.id } })}
    >
      The key is deleted here. If nothing else uses it, revoke it at the store too.
    </ConfirmButton>
  );
}
