// Everything by which reviews leave the workspace: its maker, destination and last use, and a button that stops it.
import type { OutgoingItem } from "../../../../src/dashboard-api/contract/outgoing.ts";
import type { LinkKind } from "../../../../src/features/sharing/contract.ts";
import { useApiMutation, useApiQuery, useWorkspace } from "../../api/workspace.ts";
import { ActionButton } from "../../components/action-button.tsx";
import { Card } from "../../components/card.tsx";
import { Chip } from "../../components/chip.tsx";
import { ConfirmButton } from "../../components/confirm-button.tsx";
import { Alert } from "../../components/feedback.tsx";
import { Link } from "../../components/link.tsx";
import { QueryView } from "../../components/query-view.tsx";
import { Table, type TableColumn } from "../../components/table.tsx";
import { Time } from "../../components/time.tsx";
import { useToast } from "../../components/toast.tsx";
import { formatQuantity } from "../../format/numbers.ts";
import styles from "./settings.module.css";

const outgoingRoute = "GET /workspaces/:workspace/outgoing" as const;
const affected = [
  outgoingRoute,
  "GET /workspaces/:workspace/channels",
  "GET /workspaces/:workspace/keys",
  "GET /workspaces/:workspace/views",
] as const;

const linkNames: Record<LinkKind, string> = {
  feed: "RSS feed of a view",
  view: "Saved view",
  overview: "Overview",
  report: "Report",
  comparison: "Comparison",
};

export function OutgoingCards() {
  const query = useApiQuery(outgoingRoute, {});
  return (
    <QueryView query={query} height={560} loadingLabel="Loading what leaves the workspace">
      {({ items }) => {
        const left = items.filter(({ hasMakerLeft }) => hasMakerLeft);
        const isLink = ({ kind }: OutgoingItem) => kind in linkNames;
        return (
          <>
            {left.length > 0 ? (
              <Alert kind="warn">
                {`${formatQuantity(left.length, "channel or key was", "channels or keys were")} made by former members, who may still know the secret or own the destination. Keep or stop each.`}
              </Alert>
            ) : null}
            <OutgoingCard
              title="Channels"
              hint="Where new reviews are sent"
              items={items.filter(({ kind }) => kind === "channel")}
              nothing="Nothing is sent: there is no channel."
            />
            <OutgoingCard
              title="API keys"
              hint="Programs that read the workspace; with the scope manage they change it, too"
              items={items.filter(({ kind }) => kind === "key")}
              nothing="No program reads the workspace: there is no API key."
            />
            {items.some(({ kind }) => kind === "sql") ? (
              <OutgoingCard
                title="SQL users"
                hint="The operator made them, and removes them with starpost sql-user remove"
                items={items.filter(({ kind }) => kind === "sql")}
                nothing=""
              />
            ) : null}
            <OutgoingCard
              title="Links"
              hint="Each shows one page, or one view as a feed, without an account"
              items={items.filter(isLink)}
              nothing="No page is shared. Overview, Compare and saved views have a button for it."
            />
          </>
        );
      }}
    </QueryView>
  );
}

type CardProps = { title: string; hint: string; items: OutgoingItem[]; nothing: string };

function OutgoingCard({ title, hint, items, nothing }: CardProps) {
  return (
    <Card title={title} hint={hint}>
      {items.length === 0 ? (
        <p className={styles.soft}>{nothing}</p>
      ) : (
        <Table caption={title} rows={items} rowKey={({ id }) => id} columns={columns} stacked />
      )}
    </Card>
  );
}

const columns: TableColumn<OutgoingItem>[] = [
  { header: "Name", cell: (item) => <Name item={item} /> },
  {
    header: "Goes to",
    cell: ({ destination }) => <span className={styles.detail}>{destination}</span>,
  },
  {
    header: "Made by",
    cell: ({ madeBy, madeAt, hasMakerLeft }) => (
      <div>
        {madeBy ?? (hasMakerLeft ? "A deleted account" : "–")}{" "}
        {hasMakerLeft ? <Chip tone="warn">Former member</Chip> : null}
        <div className={styles.soft}>
          <Time at={madeAt} />
        </div>
      </div>
    ),
  },
  {
    header: "Last use",
    cell: ({ usedAt }) => (usedAt ? <Time at={usedAt} relative /> : "never"),
  },
  { header: "Expires", cell: ({ endsAt }) => (endsAt ? <Time at={endsAt} /> : "never") },
  { header: "Stop", hideHeader: true, alignEnd: true, cell: (item) => <Actions item={item} /> },
];

function Name({ item: { kind, id, name, isPaused } }: { item: OutgoingItem }) {
  return (
    <div>
      {kind === "channel" ? (
        <Link href={`/sources/channels/${id}`}>{name}</Link>
      ) : (
        <strong>{name}</strong>
      )}{" "}
      {isPaused ? <Chip>Paused</Chip> : null}
      {kind in linkNames ? <div className={styles.soft}>{linkNames[kind as LinkKind]}</div> : null}
    </div>
  );
}

function Actions({ item }: { item: OutgoingItem }) {
  const { isOwner } = useWorkspace();
  return (
    <span className={styles.buttons}>
      {isOwner && item.hasMakerLeft ? <KeepButton item={item} /> : null}
      <StopButton item={item} isOwner={isOwner} />
    </span>
  );
}

function KeepButton({ item: { kind, id, name } }: { item: OutgoingItem }) {
  const done = () => `You now answer for ${name}`;
  const shared = { affected, small: true, successMessage: done };
  return kind === "key" ? (
    <ActionButton
      {...shared}
      route="POST /workspaces/:workspace/keys/:key/keep"
      input={{ path: { key: id } }}
    >
      Keep
    </ActionButton>
  ) : (
    <ActionButton
      {...shared}
      route="POST /workspaces/:workspace/channels/:channel/keep"
      input={{ path: { channel: id } }}
    >
      Keep
    </ActionButton>
  );
}

/** A channel is paused, which can be taken back; keys and links end for good. */
function StopButton({ item, isOwner }: { item: OutgoingItem; isOwner: boolean }) {
  const { kind, id, name, isPaused } = item;
  const shared = { affected, small: true };
  if (kind === "channel") {
    return isPaused ? null : (
      <ActionButton
        {...shared}
        route="PATCH /workspaces/:workspace/channels/:channel"
        input={{ path: { channel: id }, body: { isPaused: true, version: null } }}
        successMessage={() => `${name} is paused`}
      >
        Pause
      </ActionButton>
    );
  }
  if (kind === "sql") return null;
  if (kind === "key") {
    return isOwner ? <RevokeButton item={item} /> : null;
  }
  return (
    <ActionButton
      {...shared}
      route="DELETE /workspaces/:workspace/links/:link"
      input={{ path: { link: id } }}
      successMessage={() => `The link to ${name} has ended`}
    >
      End
    </ActionButton>
  );
}

function RevokeButton({ item: { id, name } }: { item: OutgoingItem }) {
  const showToast = useToast();
  const revoke = useApiMutation("POST /workspaces/:workspace/keys/:key/revoke", affected);
  const confirm = async () => {
    await revoke.mutateAsync({ path: { key: id } });
    showToast(`${name} is revoked`);
  };
  return (
    <ConfirmButton
      label="Revoke"
      title={`Revoke ${name}?`}
      confirmLabel="Revoke the key"
      onConfirm={confirm}
    >
      Programs with this key are refused from now on.
    </ConfirmButton>
  );
}
