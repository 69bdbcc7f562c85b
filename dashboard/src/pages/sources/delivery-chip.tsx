// The state of a delivery in one word.
import type { Delivery } from "../../../../src/dashboard-api/contract/channels.ts";
import { Chip, type ChipTone } from "../../components/chip.tsx";

const states: Record<Delivery["status"], { label: string; tone: ChipTone }> = {
  pending: { label: "Waiting", tone: "accent" },
  delivered: { label: "Delivered", tone: "good" },
  expired: { label: "Expired", tone: "bad" },
  cancelled: { label: "Cancelled", tone: "plain" },
};

type DeliveryChipProps = {
  status: Delivery["status"];
  /** A pending delivery with attempts is one that failed and is tried again. */
  attemptCount?: number;
};

export function DeliveryChip({ status, attemptCount = 0 }: DeliveryChipProps) {
  if (status === "pending" && attemptCount > 0) return <Chip tone="warn">Retrying</Chip>;
  const { label, tone } = states[status];
  return <Chip tone={tone}>{label}</Chip>;
}
