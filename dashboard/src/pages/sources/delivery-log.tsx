// What was sent to a channel and what it answered, newest first, with ways to test and to send again.
import { useInfiniteQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { Channel, Delivery } from "../../../../src/dashboard-api/contract/channels.ts";
import { call } from "../../api/api-client.ts";
import { describeError } from "../../api/http-request.ts";
import { filled, useChange, usePlace } from "../../api/workspace.ts";
import { Button } from "../../components/button.tsx";
import { Card } from "../../components/card.tsx";
import { ErrorNote, Note, Skeleton } from "../../components/feedback.tsx";
import { Select } from "../../components/field.tsx";
import { useToast } from "../../components/toast.tsx";
import { formatNumberOf } from "../../format/numbers.ts";
import { DeliveryRow } from "./delivery-row.tsx";
import styles from "./sources.module.css";

const watchEveryMs = 3_000;

const statuses = [
  { value: "", label: "All deliveries" },
  { value: "pending", label: "Waiting" },
  { value: "delivered", label: "Delivered" },
  { value: "expired", label: "Expired" },
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
          <Select label="Status" hideLabel value={status} options={statuses} onText={setStatus} />
          {channel.counts.expired > 0 ? <RedeliverExpired channel={channel} /> : null}
          <SendTest channel={channel} />
        </>
      }
    >
      {log.isPending ? <Skeleton height={160} label="Loading deliveries" /> : null}
      {log.isError ? <ErrorNote error={log.error} onRetry={() => void log.refetch()} /> : null}
      {log.data && deliveries.length === 0 ? (
        <Note>
          {status
            ? "No delivery has this status."
            : "Nothing was sent yet. Send a test event to see whether your endpoint takes it."}
        </Note>
      ) : null}
      {deliveries.map((delivery) => (
        <DeliveryRow key={delivery.id} delivery={delivery} />
      ))}
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
  const { workspace } = usePlace();
  return useInfiniteQuery({
    queryKey: [workspace.id, logRoute, channel, status],
    queryFn: ({ pageParam, signal }) => {
      const query = { ...(status ? { status } : {}), ...(pageParam ? { before: pageParam } : {}) };
      return call(
        logRoute,
        filled<typeof logRoute>({ path: { channel }, query }, workspace.id),
        signal,
      );
    },
    initialPageParam: "",
    getNextPageParam: (page) => page.nextBefore,
    // Only while its newest page is all that is shown: watching twenty pages would ask for twenty.
    refetchInterval: ({ state }) => (state.data?.pages.length === 1 ? watchEveryMs : false),
  });
}

function SendTest({ channel }: { channel: Channel }) {
  const say = useToast();
  const test = useChange("POST /workspaces/:workspace/channels/:channel/test", [logRoute]);
  const send = () =>
    test.mutate(
      { path: { channel: channel.id } },
      {
        onSuccess: () => say("A test event is on its way: the log shows what comes of it"),
        onError: (error) => say(describeError(error)),
      },
    );
  return (
    <Button busy={test.isPending} onClick={send}>
      Send a test
    </Button>
  );
}

function RedeliverExpired({ channel }: { channel: Channel }) {
  const say = useToast();
  const redeliver = useChange("POST /workspaces/:workspace/channels/:channel/redeliver-expired", [
    logRoute,
    "GET /workspaces/:workspace/channels/:channel",
  ]);
  const send = () =>
    redeliver.mutate(
      { path: { channel: channel.id } },
      {
        onSuccess: ({ queued }) =>
          say(`${formatNumberOf(queued, "delivery", "deliveries")} on the way again`),
        onError: (error) => say(describeError(error)),
      },
    );
  return (
    <Button busy={redeliver.isPending} onClick={send}>
      Redeliver all expired
    </Button>
  );
}
