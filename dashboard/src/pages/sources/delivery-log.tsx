// The deliveries of a channel, newest first, with buttons to send a test and to redeliver what expired.

import { useInfiniteQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { Channel, Delivery } from "../../../../src/dashboard-api/contract/channels.ts";
import { callApi } from "../../api/api-client.ts";
import { useWorkspace, withWorkspace } from "../../api/workspace.ts";
import { ActionButton } from "../../components/action-button.tsx";
import { Button } from "../../components/button.tsx";
import { Card } from "../../components/card.tsx";
import { Alert } from "../../components/feedback.tsx";
import { Select } from "../../components/field.tsx";
import { QueryView } from "../../components/query-view.tsx";
import { formatQuantity } from "../../format/numbers.ts";
import { DeliveryRow } from "./delivery-row.tsx";
import styles from "./sources.module.css";

const refetchEveryMs = 3_000;

const statuses = [
  { value: "", label: "All deliveries" },
  { value: "pending", label: "Sending or retrying" },
  { value: "delivered", label: "Delivered" },
  { value: "expired", label: "Failed" },
  { value: "cancelled", label: "Cancelled" },
];

const logRoute = "GET /workspaces/:workspace/channels/:channel/deliveries" as const;

export function DeliveryLog({ channel }: { channel: Channel }) {
  const [status, setStatus] = useState("");
  const log = useLog(channel.id, status as Delivery["status"] | "");
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
            onValueChange={setStatus}
          />
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
          <ActionButton
            route="POST /workspaces/:workspace/channels/:channel/test"
            input={{ path: { channel: channel.id } }}
            affected={[logRoute]}
            successMessage={() => "Test event sent. See the log."}
          >
            Send a test
          </ActionButton>
        </>
      }
    >
      <QueryView query={log} height={160} loadingLabel="Loading deliveries">
        {() =>
          deliveries.length === 0 ? (
            <Alert>
              {status
                ? "No delivery has this status."
                : "Nothing was sent yet. Send a test event to check that your endpoint accepts it."}
            </Alert>
          ) : (
            deliveries.map((delivery) => <DeliveryRow key={delivery.id} delivery={delivery} />)
          )
        }
      </QueryView>
      {log.hasNextPage ? (
        <div className={styles.actions}>
          <Button busy={log.isFetchingNextPage} onClick={() => void log.fetchNextPage()}>
            Show more
          </Button>
        </div>
      ) : null}
    </Card>
  );
}

function useLog(channel: string, status: Delivery["status"] | "") {
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
