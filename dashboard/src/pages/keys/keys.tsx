// API keys: the list, with buttons to create and to revoke one.
import { useState } from "react";
import type { ApiKey } from "../../../../src/dashboard-api/contract/keys.ts";
import { useApiMutation, useApiQuery, useWorkspace } from "../../api/workspace.ts";
import { Button } from "../../components/button.tsx";
import { Card, Page } from "../../components/card.tsx";
import { Chip } from "../../components/chip.tsx";
import { ConfirmButton } from "../../components/confirm-button.tsx";
import { Alert, EmptyState } from "../../components/feedback.tsx";
import { QueryView } from "../../components/query-view.tsx";
import { Table, type TableColumn } from "../../components/table.tsx";
import { Time } from "../../components/time.tsx";
import { useToast } from "../../components/toast.tsx";
import { KeyUsage } from "./key-usage.tsx";
import { NewKeyDialog } from "./new-key.tsx";

export function Keys() {
  const { isOwner, workspace } = useWorkspace();
  const [isCreating, setCreating] = useState(false);
  const query = useApiQuery("GET /workspaces/:workspace/keys", {});
  const createButton = isOwner ? (
    <Button kind="primary" onClick={() => setCreating(true)}>
      Create a key
    </Button>
  ) : null;
  return (
    <Page
      title="API keys"
      lead={
        <>
          A key reads this workspace's data through the API, or manages its set-up; see the{" "}
          <a href="/docs">API reference</a>.
        </>
      }
      tools={query.data?.keys.length ? createButton : null}
    >
      {workspace.plan === "studio" ? null : (
        <Alert kind="warn">
          The read API needs the Studio plan. The operator changes it with{" "}
          <code>starpost workspace set-plan</code>.
        </Alert>
      )}
      <QueryView query={query} height={220} loadingLabel="Loading keys">
        {({ keys }) => (
          <Card>
            {keys.length === 0 ? (
              <EmptyState title="No key yet" actions={createButton}>
                {isOwner
                  ? "Create one for each program that reads the API. You can then revoke each on its own."
                  : "Ask an owner of the workspace to create one."}
              </EmptyState>
            ) : (
              <Table
                caption="API keys"
                rows={keys}
                rowKey={(key) => key.id}
                columns={columns}
                stacked
              />
            )}
          </Card>
        )}
      </QueryView>
      {isCreating ? <NewKeyDialog onClose={() => setCreating(false)} /> : null}
    </Page>
  );
}

const scopeNames: Record<ApiKey["scope"], string> = {
  read: "read",
  manage: "read and manage",
  mcp: "use /mcp",
};

const columns: TableColumn<ApiKey>[] = [
  {
    header: "Name",
    cell: ({ name, prefix }) => (
      <>
        <strong>{name}</strong> <code>{prefix}…</code>
      </>
    ),
  },
  { header: "Access", cell: ({ scope }) => scopeNames[scope] },
  { header: "Created", cell: ({ createdAt }) => <Time at={createdAt} /> },
  {
    header: "Last used",
    cell: ({ lastUsedAt, lastUsedAddress }) =>
      lastUsedAt ? (
        <>
          <Time at={lastUsedAt} relative />
          {lastUsedAddress ? ` from ${lastUsedAddress}` : null}
        </>
      ) : (
        "never"
      ),
  },
  {
    header: "Expires",
    cell: ({ endsAt }) => (endsAt ? <Time at={endsAt} relative /> : "never"),
  },
  { header: "Requests", cell: ({ requestDays }) => <KeyUsage days={requestDays} /> },
  {
    header: "Revoke",
    hideHeader: true,
    alignEnd: true,
    cell: (key) => <RevokeCell apiKey={key} />,
  },
];

function RevokeCell({ apiKey }: { apiKey: ApiKey }) {
  const { isOwner } = useWorkspace();
  const showToast = useToast();
  const revoke = useApiMutation("POST /workspaces/:workspace/keys/:key/revoke", [
    "GET /workspaces/:workspace/keys",
  ]);
  if (apiKey.revokedAt) {
    return (
      <Chip>
        Revoked <Time at={apiKey.revokedAt} relative />
      </Chip>
    );
  }
  if (!isOwner) return null;
  const confirm = async () => {
    await revoke.mutateAsync({ path: { key: apiKey.id } });
    showToast(`${apiKey.name} is revoked`);
  };
  return (
    <ConfirmButton
      label="Revoke"
      title={`Revoke ${apiKey.name}?`}
      confirmLabel="Revoke the key"
      onConfirm={confirm}
    >
      Apps using this key get 401 immediately. This can't be undone.
    </ConfirmButton>
  );
}
