// The audit log of the workspace: who did what to which resource, the newest first.
import { keepPreviousData, useInfiniteQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { AuditEntry } from "../../../../src/dashboard-api/contract/views.ts";
import { callApi } from "../../api/api-client.ts";
import { useWorkspace, withWorkspace } from "../../api/workspace.ts";
import { Button } from "../../components/button.tsx";
import { Card } from "../../components/card.tsx";
import { Alert } from "../../components/feedback.tsx";
import { TextField } from "../../components/field.tsx";
import { Link } from "../../components/link.tsx";
import { QueryView } from "../../components/query-view.tsx";
import { Table } from "../../components/table.tsx";
import { Time } from "../../components/time.tsx";
import { useDebounced } from "../../components/use-debounced.ts";
import { actionName, describeDetail } from "../../format/audit.ts";
import styles from "./settings.module.css";

const route = "GET /workspaces/:workspace/audit" as const;

export function AuditCard() {
  const { workspace } = useWorkspace();
  const [text, setText] = useState("");
  const q = useDebounced(text.trim());
  const log = useInfiniteQuery({
    queryKey: [workspace.id, route, q],
    queryFn: ({ pageParam, signal }) => {
      const query = { ...(pageParam && { before: pageParam }), ...(q && { q }) };
      return callApi(route, withWorkspace<typeof route>({ query }, workspace.id), signal);
    },
    initialPageParam: "",
    getNextPageParam: ({ entries, hasMore }) => (hasMore ? entries.at(-1)?.id : undefined),
    placeholderData: keepPreviousData,
  });
  const entries = log.data?.pages.flatMap((page) => page.entries) ?? [];
  return (
    <Card title="Audit log" hint="Who did what in this workspace">
      <div className={styles.search}>
        <TextField
          label="Search by person, action, name or value"
          type="search"
          maxLength={100}
          value={text}
          onValueChange={setText}
        />
      </div>
      <QueryView query={log} height={480} loadingLabel="Loading the audit log">
        {() =>
          entries.length === 0 ? (
            <Alert>{q ? "Nothing matches." : "Nothing has been done yet."}</Alert>
          ) : (
            <Table
              caption="Audit log"
              rows={entries}
              rowKey={({ id }) => id}
              stacked
              columns={[
                { header: "When", cell: ({ at }) => <Time at={at} /> },
                { header: "Who", cell: (entry) => <Who entry={entry} /> },
                { header: "What", cell: ({ action }) => actionName(action) },
                { header: "Which", cell: (entry) => <Subject entry={entry} /> },
                { header: "Details", cell: (entry) => <Details entry={entry} /> },
              ]}
            />
          )
        }
      </QueryView>
      {log.hasNextPage ? (
        <Button busy={log.isFetchingNextPage} onClick={() => void log.fetchNextPage()}>
          Show more
        </Button>
      ) : null}
    </Card>
  );
}

type EntryProps = { entry: AuditEntry };

const doors = {
  api: "by the API",
  cli: "at the command line",
  dashboard: "in the dashboard",
  system: "by itself",
};
const names: Readonly<Partial<Record<string, string>>> = { cli: "Operator", system: "Starpost" };

function Who({ entry: { actor, door } }: EntryProps) {
  return (
    <>
      {names[door ?? ""] ?? actor}
      {door ? <div className={styles.detail}>{doors[door]}</div> : null}
    </>
  );
}

const pages: Record<string, string> = { channel: "/sources/channels/", app: "/sources/apps/" };

/** The resource by its name, as a link while it exists. */
function Subject({ entry: { action, subject, detail } }: EntryProps) {
  const { name, app } = detail;
  if (typeof name !== "string") return "–";
  const [noun = "", verb = ""] = action.split(".");
  const path = noun === "review" && typeof app === "string" ? `/reviews/${app}/` : pages[noun];
  const isGone = verb === "removed" || verb === "deleted";
  if (!path || isGone) return name;
  return <Link href={`${path}${subject}`}>{name}</Link>;
}

function Details({ entry: { detail } }: EntryProps) {
  return (
    <ul className={styles.detail}>
      {describeDetail(detail).map((line) => (
        <li key={line}>{line}</li>
      ))}
    </ul>
  );
}
