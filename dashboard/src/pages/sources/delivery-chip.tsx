// The state of a delivery in one word.
import type { Delivery } from "../../../../src/dashboard-api/contract/channels.ts";
import { Chip, type ChipTone } from "../../components/chip.tsx";

const words: Record<Delivery["status"], { label: string; tone: ChipTone }> = {
  pending: { label: "Waiting", tone: "accent" },
  delivered: { label: "Delivered", tone: "good" },
  expired: { label: "Expired", tone: "bad" },
  cancelled: { label: "Cancelled", tone: "plain" },
};

export function DeliveryChip({ status }: { status: Delivery["status"] }) {
  const { label, tone } = words[status];
  return <Chip tone={tone}>{label}</Chip>;
}
