// Sends a test event and waits for the endpoint's answer, which it shows.
import { useState } from "react";
import { describeError } from "../../api/http-request.ts";
import { useApiMutation, useApiQuery } from "../../api/workspace.ts";
import { Button } from "../../components/button.tsx";
import { Alert, ErrorAlert } from "../../components/feedback.tsx";
import { useToast } from "../../components/toast.tsx";
import styles from "./channels.module.css";

const logRoute = "GET /workspaces/:workspace/channels/:channel/deliveries" as const;

/** The button, and the id of the test event that was sent last. */
export function TestButton(props: { channelId: string; onSent: (deliveryId: string) => void }) {
  const send = useApiMutation("POST /workspaces/:workspace/channels/:channel/test", [logRoute]);
  const showToast = useToast();
  const run = () =>
    send.mutate(
      { path: { channel: props.channelId } },
      {
        onSuccess: ({ deliveryId }) => props.onSent(deliveryId),
        onError: (error) => showToast(describeError(error)),
      },
    );
  return (
    <Button busy={send.isPending} onClick={run}>
      Send a test
    </Button>
  );
}

const pollEveryMs = 500;
/** A channel that fails may let it wait in line. */
const pollsMax = 40;

export function TestResult({ deliveryId }: { deliveryId: string }) {
  const [pollCount, setPollCount] = useState(0);
  const query = useApiQuery(
    "GET /workspaces/:workspace/deliveries/:delivery",
    { path: { delivery: deliveryId } },
    {
      refetchEveryMs: (found) => {
        const isDone = (found?.delivery.attempts.length ?? 0) > 0 || pollCount > pollsMax;
        return isDone ? false : pollEveryMs;
      },
    },
  );
  const [countedAt, setCountedAt] = useState(0);
  if (query.dataUpdatedAt !== countedAt) {
    setCountedAt(query.dataUpdatedAt);
    setPollCount(pollCount + 1);
  }
  if (query.isError) return <ErrorAlert error={query.error} />;
  const attempt = query.data?.delivery.attempts[0];
  if (!attempt) {
    return (
      <Alert>
        <span role="status">
          {pollCount > pollsMax
            ? "The test event waits in line behind other deliveries: the log shows when it is sent."
            : "Sending the test event …"}
        </span>
      </Alert>
    );
  }
  const { status, durationMs, reason, answer } = attempt;
  return (
    <Alert kind={reason === null ? "good" : "bad"}>
      <span role="status">{describeAttempt({ status, durationMs, reason })}</span>
      {answer ? <pre className={styles.answer}>{answer}</pre> : null}
    </Alert>
  );
}

/** A mail server answers without a status of HTTP; what it said stands below. */
function describeAttempt(attempt: {
  status: number | null;
  durationMs: number;
  reason: string | null;
}): string {
  const { status, durationMs, reason } = attempt;
  if (reason === null) {
    const answer = status === null ? "it was accepted" : `the answer was ${status}`;
    return `The test event arrived: ${answer} in ${durationMs} ms.`;
  }
  if (status === null) return `The test event did not arrive: ${reason} (${durationMs} ms).`;
  return `Your endpoint answered ${status} in ${durationMs} ms${reason === `HTTP ${status}` ? "" : `: ${reason}`}.`;
}
