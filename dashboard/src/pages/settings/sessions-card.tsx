// Where the person is signed in, and how to end that.
import type { OpenSession } from "../../../../src/dashboard-api/contract/session.ts";
import { describeError } from "../../api/http-request.ts";
import { useAnswer, useChange } from "../../api/workspace.ts";
import { Button } from "../../components/button.tsx";
import { Card } from "../../components/card.tsx";
import { Chip } from "../../components/chip.tsx";
import { ErrorNote, Skeleton } from "../../components/feedback.tsx";
import { Table, type TableColumn } from "../../components/table.tsx";
import { Time } from "../../components/time.tsx";
import { useToast } from "../../components/toast.tsx";
import { formatNumberOf } from "../../format/numbers.ts";
import { browserName } from "./browser-name.ts";

const sessionsRoute = "GET /session/sessions" as const;

export function SessionsCard() {
  const say = useToast();
  const answer = useAnswer(sessionsRoute, {});
  const endOthers = useChange("POST /session/sessions/end-others", [sessionsRoute]);
  const sessions = answer.data?.sessions ?? [];
  const columns: TableColumn<OpenSession>[] = [
    {
      head: "Browser",
      cell: ({ browser, isCurrent }) => (
        <span title={browser}>
          {browserName(browser)} {isCurrent ? <Chip tone="accent">This one</Chip> : null}
        </span>
      ),
    },
    { head: "Address", cell: ({ address }) => address },
    { head: "Last seen", cell: ({ lastSeenAt }) => <Time at={lastSeenAt} relative /> },
    { head: "Since", cell: ({ startedAt }) => <Time at={startedAt} /> },
    { head: "End", hideHead: true, end: true, cell: (session) => <End session={session} /> },
  ];
  const end = () =>
    endOthers.mutate(
      {},
      {
        onSuccess: ({ endedCount }) => say(`${formatNumberOf(endedCount, "session")} ended`),
        onError: (error) => say(describeError(error)),
      },
    );
  return (
    <Card
      title="Your sessions"
      tools={
        sessions.length > 1 ? (
          <Button busy={endOthers.isPending} onClick={end}>
            End all others
          </Button>
        ) : null
      }
    >
      {answer.isPending ? <Skeleton height={80} label="Loading sessions" /> : null}
      {answer.isError ? (
        <ErrorNote error={answer.error} onRetry={() => void answer.refetch()} />
      ) : null}
      {answer.data ? (
        <Table
          caption="Sessions"
          rows={sessions}
          rowKey={({ id }) => id}
          columns={columns}
          stacked
        />
      ) : null}
    </Card>
  );
}

function End({ session }: { session: OpenSession }) {
  const say = useToast();
  const end = useChange("DELETE /session/sessions/:session", [sessionsRoute]);
  if (session.isCurrent) return null;
  const send = () =>
    end.mutate(
      { path: { session: session.id } },
      { onError: (error) => say(describeError(error)) },
    );
  return (
    <Button small busy={end.isPending} onClick={send}>
      End
    </Button>
  );
}
