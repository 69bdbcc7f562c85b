// The deliveries of a channel, newest first, with buttons to send a test, and to send again what failed.

import { useInfiniteQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { Channel, DeliveryStatus } from "../../../../src/dashboard-api/contract/channels.ts";
import { callApi } from "../../api/api-client.ts";
import { useWorkspace, withWorkspace } from "../../api/workspace.ts";
import { ActionButton } from "../../components/action-button.tsx";
import { Button } from "../../components/button.tsx";
import { Card } from "../../components/card.tsx";
import { Alert } from "../../components/feedback.tsx";
import { Select } from "../../components/field.tsx";
import layout from "../../components/layout.module.css";
import { QueryView } from "../../components/query-view.tsx";
import { formatQuantity } from "../../format/numbers.ts";
import { DeliveryRow } from "./delivery-row.tsx";
import { TestButton, TestResult } from "./test-event.tsx";

const refetchEveryMs = 3_000;

const statuses = [
  { value: "", label: "All deliveries" },
  { value: "retrying", label: "Failing, retried" },
  { value: "pending", label: "Sending or waiting" },
  { value: "delivered", label: "Delivered" },
  { value: "expired", label: "Failed for good" },
  { value: "cancelled", label: "Cancelled" },
];

const logRoute = "GET /workspaces/:workspace/channels/:channel/deliveries" as const;

type StatusFilter = DeliveryStatus | "retrying" | "";

export function DeliveryLog({ channel }: { channel: Channel }) {
  const [status, setStatus] = useState<StatusFilter>("");
  const [testId, setTestId] = useState<string | null>(null);
  const log = useLog(channel.id, status);
  const deliveries = log.data?.pages.flatMap((page) => page.deliveries) ?? [];
  return (
    <Card
      title="Delivery log"
      tools={
        <>
          <Select
            label="Status"
            hideLabel
            value={status}
            options={statuses}
            onValueChange={(value) => setStatus(value as StatusFilter)}
          />
          <SendAgain channel={channel} />
          <TestButton channelId={channel.id} onSent={setTestId} />
        </>
      }
    >
      {testId ? <TestResult key={testId} deliveryId={testId} /> : null}
      <QueryView query={log} height={160} loadingLabel="Loading deliveries">
        {() =>
          deliveries.length === 0 ? (
            <Alert>
              {status
                ? "No delivery has this status."
                : "Nothing was sent yet. Send a test event to check that your endpoint accepts it."}
            </Alert>
          ) : (
            deliveries.map((delivery) => (
              <DeliveryRow key={delivery.id} {...{ delivery, type: channel.type }} />
            ))
          )
        }
      </QueryView>
      {log.hasNextPage ? (
        <div className={layout.actions}>
          <Button busy={log.isFetchingNextPage} onClick={() => void log.fetchNextPage()}>
            Show more
          </Button>
        </div>
      ) : null}
    </Card>
  );
}

function useLog(channel: string, status: StatusFilter) {
  const { workspace } = useWorkspace();
  return useInfiniteQuery({
    queryKey: [workspace.id, logRoute, channel, status],
    queryFn: ({ pageParam, signal }) => {
      const query = { ...(status ? { status } : {}), ...(pageParam ? { before: pageParam } : {}) };
      return callApi(
        logRoute,
        withWorkspace<typeof logRoute>({ path: { channel }, query }, workspace.id),
        signal,
      );
    },
    initialPageParam: "",
    getNextPageParam: (page) => page.nextBefore,
    // Only while a single page is shown: a refetch loads every page again.
    refetchInterval: ({ state }) => (state.data?.pages.length === 1 ? refetchEveryMs : false),
  });
}

/** Shortcut to failures: deliveries that are retried, and those that were given up. */
function SendAgain({ channel }: { channel: Channel }) {
  return (
    <>
      {channel.failingSince && channel.counts.pending > 0 ? (
        <ActionButton
          route="POST /workspaces/:workspace/channels/:channel/retry"
          input={{ path: { channel: channel.id } }}
          affected={[logRoute, "GET /workspaces/:workspace/channels/:channel"]}
          successMessage={({ queued }) =>
            `Trying ${formatQuantity(queued, "delivery", "deliveries")} again`
          }
        >
          Retry all now
        </ActionButton>
      ) : null}
      {channel.counts.expired > 0 ? (
        <ActionButton
          route="POST /workspaces/:workspace/channels/:channel/redeliver-expired"
          input={{ path: { channel: channel.id } }}
          affected={[logRoute, "GET /workspaces/:workspace/channels/:channel"]}
          successMessage={({ queued }) =>
            `${formatQuantity(queued, "delivery", "deliveries")} queued`
          }
        >
          Redeliver all failed
        </ActionButton>
      ) : null}
    </>
  );
}
