// The user's sessions, with buttons to sign them out.
import type { OpenSession } from "../../../../src/dashboard-api/contract/session.ts";
import { describeError } from "../../api/http-request.ts";
import { useApiMutation, useApiQuery } from "../../api/workspace.ts";
import { Button } from "../../components/button.tsx";
import { Card } from "../../components/card.tsx";
import { Chip } from "../../components/chip.tsx";
import { QueryView } from "../../components/query-view.tsx";
import { Table, type TableColumn } from "../../components/table.tsx";
import { Time } from "../../components/time.tsx";
import { useToast } from "../../components/toast.tsx";
import { formatQuantity } from "../../format/numbers.ts";
import { browserName } from "./browser-name.ts";

const sessionsRoute = "GET /session/sessions" as const;

export function SessionsCard() {
  const showToast = useToast();
  const query = useApiQuery(sessionsRoute, {});
  const endOthers = useApiMutation("POST /session/sessions/end-others", [sessionsRoute]);
  const sessions = query.data?.sessions ?? [];
  const columns: TableColumn<OpenSession>[] = [
    {
      header: "Browser",
      cell: ({ browser, isCurrent }) => (
        <span title={browser}>
          {browserName(browser)} {isCurrent ? <Chip tone="accent">This one</Chip> : null}
        </span>
      ),
    },
    { header: "Address", cell: ({ address }) => address },
    { header: "Last seen", cell: ({ lastSeenAt }) => <Time at={lastSeenAt} relative /> },
    { header: "Signed in", cell: ({ startedAt }) => <Time at={startedAt} /> },
    {
      header: "Sign out",
      hideHeader: true,
      alignEnd: true,
      cell: (session) => <EndSession session={session} />,
    },
  ];
  const end = () =>
    endOthers.mutate(
      {},
      {
        onSuccess: ({ endedCount }) =>
          showToast(`${formatQuantity(endedCount, "session")} signed out`),
        onError: (error) => showToast(describeError(error)),
      },
    );
  return (
    <Card
      title="Your sessions"
      tools={
        sessions.length > 1 ? (
          <Button busy={endOthers.isPending} onClick={end}>
            Sign out all others
          </Button>
        ) : null
      }
    >
      <QueryView query={query} height={80} loadingLabel="Loading sessions">
        {() => (
          <Table
            caption="Sessions"
            rows={sessions}
            rowKey={({ id }) => id}
            columns={columns}
            stacked
          />
        )}
      </QueryView>
    </Card>
  );
}

function EndSession({ session }: { session: OpenSession }) {
  const showToast = useToast();
  const end = useApiMutation("DELETE /session/sessions/:session", [sessionsRoute]);
  if (session.isCurrent) return null;
  const send = () =>
    end.mutate(
      { path: { session: session.id } },
      { onError: (error) => showToast(describeError(error)) },
    );
  return (
    <Button small busy={end.isPending} onClick={send}>
      Sign out
    </Button>
  );
}
