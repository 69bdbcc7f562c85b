// The state of a delivery in a word or two; a retry counts down.
import { Chip, type ChipTone } from "../../components/chip.tsx";
import { DueTime, useNowMs } from "../../components/time.tsx";
import { type DeliveryFacts, type DeliveryState, deliveryState } from "./delivery-state.ts";

const states: Record<DeliveryState, { label: string; tone: ChipTone }> = {
  waiting: { label: "Waiting", tone: "plain" },
  sending: { label: "Sending", tone: "accent" },
  retrying: { label: "Retrying", tone: "warn" },
  delivered: { label: "Delivered", tone: "good" },
  failed: { label: "Failed", tone: "bad" },
  cancelled: { label: "Cancelled", tone: "plain" },
};

export function DeliveryChip({ delivery }: { delivery: DeliveryFacts }) {
  const state = deliveryState(delivery, useNowMs(delivery.dueAt));
  const { label, tone } = states[state];
  return (
    <Chip tone={tone}>
      {label}
      {state === "retrying" && delivery.dueAt ? (
        <>
          {" "}
          <DueTime at={delivery.dueAt} />
        </>
      ) : null}
    </Chip>
  );
}
