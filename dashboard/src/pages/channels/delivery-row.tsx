// One delivery of the log. Opened, it shows each attempt with its response, and the exact payload.

import { useState } from "react";
import type {
  Attempt,
  ChannelType,
  ListedDelivery,
} from "../../../../src/dashboard-api/contract/channels.ts";
import { useApiQuery } from "../../api/workspace.ts";
import { ActionButton } from "../../components/action-button.tsx";
import { Chip } from "../../components/chip.tsx";
import { CopyButton } from "../../components/copy-button.tsx";
import layout from "../../components/layout.module.css";
import { QueryView } from "../../components/query-view.tsx";
import { Stars } from "../../components/stars.tsx";
import { DueTime, Time, useNowMs } from "../../components/time.tsx";
import { eventName } from "../../format/names.ts";
import styles from "./channels.module.css";
import { DeliveryChip } from "./delivery-chip.tsx";
import { describeResult } from "./delivery-state.ts";

const detailRoute = "GET /workspaces/:workspace/deliveries/:delivery" as const;
const refetchEveryMs = 3_000;

export function DeliveryRow(props: DeliveryDetailProps) {
  const { delivery } = props;
  const [isOpen, setOpen] = useState(false);
  return (
    <details className={styles.delivery} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        <DeliveryChip delivery={delivery} />
        <span>
          <Subject delivery={delivery} />
          <span className={layout.facts}>
            <span>
              {eventName(delivery.event)} {delivery.isTest ? <Chip>Test</Chip> : null}
            </span>
            <span>{describeResult(delivery, useNowMs(delivery.dueAt))}</span>
          </span>
        </span>
        <span className={layout.facts}>
          <Time at={delivery.createdAt} />
        </span>
      </summary>
      {isOpen ? <DeliveryDetail {...props} /> : null}
    </details>
  );
}

/** The subject of the event: the review by stars and title, or the app of a rating drop. */
function Subject({ delivery: { event, subject } }: { delivery: ListedDelivery }) {
  if (subject === null) {
    return <span className={styles.subject}>{eventName(event)}</span>;
  }
  const { appName, review } = subject;
  if (review === null) return <span className={styles.subject}>{appName}</span>;
  return (
    <span className={styles.subject}>
      <Stars rating={review.rating} size={13} />
      <span dir="auto">{review.headline || "No text"}</span>
      <span className={`${layout.facts} ${styles.origin}`}>
        {[appName, review.country].filter(Boolean).join(" · ")}
      </span>
    </span>
  );
}

type DeliveryDetailProps = { delivery: ListedDelivery; type: ChannelType };

function DeliveryDetail({ delivery, type }: DeliveryDetailProps) {
  const { id, status } = delivery;
  const query = useApiQuery(
    detailRoute,
    { path: { delivery: id } },
    { refetchEveryMs: status === "pending" && refetchEveryMs },
  );
  return (
    <QueryView query={query} height={240} loadingLabel="Loading the delivery">
      {({ delivery: { dueAt, attempts, body } }) => (
        <div className={styles.detail}>
          <div className={layout.actions}>
            <ActionButton
              small
              route="POST /workspaces/:workspace/deliveries/:delivery/redeliver"
              input={{ path: { delivery: id } }}
              affected={[detailRoute, "GET /workspaces/:workspace/channels/:channel/deliveries"]}
              successMessage={() => "Queued"}
            >
              Redeliver
            </ActionButton>
            <span className={layout.facts}>
              Delivery <code>{id}</code>
            </span>
          </div>
          {dueAt ? (
            <p className={layout.facts}>
              Next attempt: <DueTime at={dueAt} />
            </p>
          ) : null}
          <Attempts attempts={attempts} />
          {type === "webhook" ? (
            <RequestHeaders delivery={delivery} last={attempts.at(-1)} />
          ) : null}
          <div className={layout.actions}>
            <h3>Payload</h3>
            <CopyButton text={body} label="Copy raw" confirmation="Payload copied" />
          </div>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region needs the focus to be scrolled by keys */}
          <pre className={styles.body} tabIndex={0}>
            {indentJson(body)}
          </pre>
        </div>
      )}
    </QueryView>
  );
}

function Attempts({ attempts }: { attempts: readonly Attempt[] }) {
  if (attempts.length === 0) return <p className={layout.facts}>No attempt yet.</p>;
  return (
    <ol className={styles.attempts}>
      {attempts.map((attempt) => (
        <li key={attempt.number}>
          <Chip tone={isSuccess(attempt) ? "good" : "bad"}>{describeStatus(attempt)}</Chip> Attempt{" "}
          {attempt.number}, <Time at={attempt.startedAt} />, {attempt.durationMs} ms
          {attempt.reason === null || isStatusOnly(attempt) ? null : <p>{attempt.reason}</p>}
          {attempt.answer ? <pre className={styles.body}>{attempt.answer}</pre> : null}
        </li>
      ))}
    </ol>
  );
}

/** Signatures are made for each attempt and not kept. */
function RequestHeaders(props: { delivery: ListedDelivery; last: Attempt | undefined }) {
  const { delivery, last } = props;
  const { id, event, isTest } = delivery;
  const seconds = last ? String(Math.floor(Date.parse(last.startedAt) / 1_000)) : "(seconds)";
  const headers = [
    "Content-Type: application/json",
    `X-Service-Event: ${event}`,
    "X-Service-Signature: sha256=(HMAC of the payload)",
    `X-Service-Delivery: ${id}`,
    `webhook-id: ${id}`,
    `webhook-timestamp: ${seconds}`,
    "webhook-signature: v1,(HMAC of id, timestamp and payload)",
    ...(isTest ? ["X-Service-Test: 1"] : []),
  ];
  return (
    <details className={styles.headers}>
      <summary>Request headers{last ? ` of attempt ${last.number}` : ""}</summary>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region needs the focus to be scrolled by keys */}
      <pre className={styles.body} tabIndex={0}>
        {headers.join("\n")}
      </pre>
    </details>
  );
}

/** The chip beside it shows the status already. */
function isStatusOnly({ status, reason }: Attempt): boolean {
  return reason === `HTTP ${status}`;
}

function isSuccess({ reason }: Attempt): boolean {
  return reason === null;
}

/** A mail server answers without a status of HTTP. */
function describeStatus(attempt: Attempt): string {
  if (attempt.status !== null) return `HTTP ${attempt.status}`;
  if (isSuccess(attempt)) return "Accepted";
  return attempt.answer === null ? "No response" : "Refused";
}

// For reading only: what is signed, sent and copied has no added spaces.
function indentJson(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2);
  } catch {
    // Not JSON: shown as it is.
    return body;
  }
}
