// One delivery of the log; opened, it shows each attempt, the exact body and the answers.
import { useState } from "react";
import type { Attempt, Delivery } from "../../../../src/dashboard-api/contract/channels.ts";
import { describeError } from "../../api/http-request.ts";
import { useAnswer, useChange } from "../../api/workspace.ts";
import { Button } from "../../components/button.tsx";
import { Chip } from "../../components/chip.tsx";
import { CopyButton } from "../../components/copy-button.tsx";
import { ErrorNote, Skeleton } from "../../components/feedback.tsx";
import { Time } from "../../components/time.tsx";
import { useToast } from "../../components/toast.tsx";
import { eventName } from "../../format/names.ts";
import { formatNumberOf } from "../../format/numbers.ts";
import { DeliveryChip } from "./delivery-chip.tsx";
import styles from "./sources.module.css";

const detailRoute = "GET /workspaces/:workspace/deliveries/:delivery" as const;
const watchEveryMs = 3_000;

export function DeliveryRow({ delivery }: { delivery: Delivery }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details className={styles.delivery} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        <DeliveryChip status={delivery.status} />
        <span>
          {eventName(delivery.event)} {delivery.isTest ? <Chip>Test</Chip> : null}
          <span className={styles.facts}>{describeState(delivery)}</span>
        </span>
        <span className={styles.facts}>
          <Time at={delivery.createdAt} />
        </span>
      </summary>
      {isOpen ? <Detail delivery={delivery} /> : null}
    </details>
  );
}

function Detail({ delivery: { id, status } }: { delivery: Delivery }) {
  const answer = useAnswer(
    detailRoute,
    { path: { delivery: id } },
    { everyMs: status === "pending" && watchEveryMs },
  );
  if (answer.isError)
    return <ErrorNote error={answer.error} onRetry={() => void answer.refetch()} />;
  if (!answer.data) return <Skeleton height={240} label="Loading the delivery" />;
  const { delivery } = answer.data;
  return (
    <div className={styles.detail}>
      <div className={styles.actions}>
        <Redeliver id={id} />
        <CopyButton text={delivery.body} label="Copy the body" what="Body copied" />
        <span className={styles.facts}>
          Delivery <code>{id}</code>
        </span>
      </div>
      {delivery.dueAt ? (
        <p className={styles.facts}>
          Next attempt <Time at={delivery.dueAt} relative />
        </p>
      ) : null}
      <Attempts attempts={delivery.attempts} />
      <h3>Body, indented for reading; the copy is what was signed</h3>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region needs the focus to be scrolled by keys */}
      <pre className={styles.body} tabIndex={0}>
        {indented(delivery.body)}
      </pre>
    </div>
  );
}

function Attempts({ attempts }: { attempts: readonly Attempt[] }) {
  if (attempts.length === 0) return <p className={styles.facts}>No attempt yet.</p>;
  return (
    <ol className={styles.attempts}>
      {attempts.map((attempt) => (
        <li key={attempt.number}>
          <Chip tone={isTaken(attempt) ? "good" : "bad"}>
            {attempt.status === null ? "No answer" : `HTTP ${attempt.status}`}
          </Chip>{" "}
          Attempt {attempt.number}, <Time at={attempt.startedAt} />, {attempt.durationMs} ms
          {saysMore(attempt) ? <p>{attempt.reason}</p> : null}
          {attempt.answer ? <pre className={styles.body}>{attempt.answer}</pre> : null}
        </li>
      ))}
    </ol>
  );
}

function Redeliver({ id }: { id: string }) {
  const say = useToast();
  const redeliver = useChange("POST /workspaces/:workspace/deliveries/:delivery/redeliver", [
    detailRoute,
    "GET /workspaces/:workspace/channels/:channel/deliveries",
  ]);
  const send = () =>
    redeliver.mutate(
      { path: { delivery: id } },
      { onSuccess: () => say("On its way again"), onError: (error) => say(describeError(error)) },
    );
  return (
    <Button small busy={redeliver.isPending} onClick={send}>
      Redeliver
    </Button>
  );
}

function describeState({ attemptCount, lastStatus, lastReason }: Delivery): string {
  if (attemptCount === 0) return "not tried yet";
  const last = lastReason ?? (lastStatus === null ? "no answer" : `answered ${lastStatus}`);
  return `${formatNumberOf(attemptCount, "attempt")}, ${last}`;
}

/** The chip names the status already. */
function saysMore({ status, reason }: Attempt): boolean {
  return reason !== null && reason !== `HTTP ${status}`;
}

function isTaken({ status }: Attempt): boolean {
  return status !== null && status >= 200 && status < 300;
}

// Only the look: what is copied and what was signed has no added space.
function indented(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2);
  } catch {
    // Shown as it is, so that nothing is hidden.
    return body;
  }
}
