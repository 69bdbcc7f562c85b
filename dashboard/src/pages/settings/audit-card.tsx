// The audit log of the workspace: who did what, the newest first.
import { useInfiniteQuery } from "@tanstack/react-query";
import { callApi } from "../../api/api-client.ts";
import { useWorkspace, withWorkspace } from "../../api/workspace.ts";
import { Button } from "../../components/button.tsx";
import { Card } from "../../components/card.tsx";
import { Alert } from "../../components/feedback.tsx";
import { QueryView } from "../../components/query-view.tsx";
import { Table } from "../../components/table.tsx";
import { Time } from "../../components/time.tsx";
import { actionName, describeDetail } from "../../format/audit.ts";
import styles from "./settings.module.css";

const route = "GET /workspaces/:workspace/audit" as const;

export function AuditCard() {
  const { workspace } = useWorkspace();
  const log = useInfiniteQuery({
    queryKey: [workspace.id, route],
    queryFn: ({ pageParam, signal }) => {
      const query = pageParam ? { before: pageParam } : {};
      return callApi(route, withWorkspace<typeof route>({ query }, workspace.id), signal);
    },
    initialPageParam: "",
    getNextPageParam: ({ entries, hasMore }) => (hasMore ? entries.at(-1)?.id : undefined),
  });
  const entries = log.data?.pages.flatMap((page) => page.entries) ?? [];
  return (
    <Card title="Audit log" hint="Who did what in this workspace">
      <QueryView query={log} height={480} loadingLabel="Loading the audit log">
        {() =>
          entries.length === 0 ? (
            <Alert>Nothing has been done yet.</Alert>
          ) : (
            <Table
              caption="Audit log"
              rows={entries}
              rowKey={({ id }) => id}
              stacked
              columns={[
                { header: "When", cell: ({ at }) => <Time at={at} /> },
                { header: "Who", cell: ({ actor }) => actor },
                { header: "What", cell: ({ action }) => actionName(action) },
                {
                  header: "Details",
                  cell: ({ detail }) => (
                    <span className={styles.detail}>{describeDetail(detail)}</span>
                  ),
                },
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
