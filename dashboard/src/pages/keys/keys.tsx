// API keys: made, shown once, watched and revoked.
import { useState } from "react";
import type { ApiKey } from "../../../../src/dashboard-api/contract/keys.ts";
import { useAnswer, useChange, usePlace } from "../../api/workspace.ts";
import { Button } from "../../components/button.tsx";
import { Card, Page } from "../../components/card.tsx";
import { Chip } from "../../components/chip.tsx";
import { ConfirmButton } from "../../components/confirm-button.tsx";
import { EmptyState, ErrorNote, Note, Skeleton } from "../../components/feedback.tsx";
import { Table, type TableColumn } from "../../components/table.tsx";
import { Time } from "../../components/time.tsx";
import { useToast } from "../../components/toast.tsx";
import { KeyUse } from "./key-use.tsx";
import { NewKey } from "./new-key.tsx";

export function Keys() {
  const { isOwner, workspace } = usePlace();
  const [isCreating, setCreating] = useState(false);
  const answer = useAnswer("GET /workspaces/:workspace/keys", {});
  const create = isOwner ? (
    <Button kind="primary" onClick={() => setCreating(true)}>
      Create a key
    </Button>
  ) : null;
  return (
    <Page
      title="API keys"
      lead={
        <>
          A key reads this workspace's data through the API; see the{" "}
          <a href="/docs">API reference</a>.
        </>
      }
      tools={answer.data?.keys.length ? create : null}
    >
      {workspace.plan === "studio" ? null : (
        <Note kind="warn">
          The read API needs the Studio plan. The operator changes it with{" "}
          <code>starpost workspace set-plan</code>.
        </Note>
      )}
      {answer.isError ? (
        <ErrorNote error={answer.error} onRetry={() => void answer.refetch()} />
      ) : null}
      {answer.isPending ? <Skeleton height={220} label="Loading keys" /> : null}
      {answer.data?.keys.length === 0 ? (
        <Card>
          <EmptyState title="No key yet" actions={create}>
            {isOwner
              ? "Create one for each program that reads the API, so that each can be revoked alone."
              : "Ask an owner of the workspace to create one."}
          </EmptyState>
        </Card>
      ) : null}
      {answer.data?.keys.length ? <KeyTable keys={answer.data.keys} isOwner={isOwner} /> : null}
      {isCreating ? <NewKey onClose={() => setCreating(false)} /> : null}
    </Page>
  );
}

function KeyTable({ keys, isOwner }: { keys: readonly ApiKey[]; isOwner: boolean }) {
  const columns: TableColumn<ApiKey>[] = [
    { head: "Name", cell: ({ name }) => <strong>{name}</strong> },
    { head: "Starts with", cell: ({ prefix }) => <code>{prefix}…</code> },
    { head: "Created", cell: ({ createdAt }) => <Time at={createdAt} /> },
    {
      head: "Last used",
      cell: ({ lastUsedAt }) => (lastUsedAt ? <Time at={lastUsedAt} relative /> : "never"),
    },
    { head: "Requests, 14 days", cell: ({ requestDays }) => <KeyUse days={requestDays} /> },
    {
      head: "Revoke",
      hideHead: true,
      end: true,
      cell: (key) => <End apiKey={key} isOwner={isOwner} />,
    },
  ];
  return (
    <Card>
      <Table caption="API keys" rows={keys} rowKey={(key) => key.id} columns={columns} stacked />
    </Card>
  );
}

function End({ apiKey, isOwner }: { apiKey: ApiKey; isOwner: boolean }) {
  const say = useToast();
  const revoke = useChange("POST /workspaces/:workspace/keys/:key/revoke", [
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
    say(`${apiKey.name} is revoked`);
  };
  return (
    <ConfirmButton
      label="Revoke"
      title={`Revoke ${apiKey.name}?`}
      confirmLabel="Revoke the key"
      onConfirm={confirm}
    >
      Programs that use it are answered 401 from now on. This can't be undone.
    </ConfirmButton>
  );
}
