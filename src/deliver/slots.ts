// How much may be in flight: per process, per channel, and for failing channels together, so that
// endpoints that hang can't take the places of those that answer.
import type { ClaimedDelivery } from "../reviews/delivery.ts";
import type { DeliverySettings } from "./settings.ts";

type Holder = Pick<ClaimedDelivery, "channelId" | "isFailing" | "isProbe">;

export type Slots = {
  take(holder: Holder): void;
  /** Returns whether something that was full has room again. */
  free(holder: Holder): boolean;
  /** What may be claimed now. */
  room(): {
    room: number;
    failingRoom: number;
    inFlight: { channelId: string; count: number }[];
    fullChannelIds: string[];
  };
};

export function openSlots(
  settings: Pick<DeliverySettings, "inFlightMax" | "failingMax" | "perChannelMax">,
): Slots {
  const channels = new Map<string, { count: number; max: number }>();
  let takenCount = 0;
  let failingCount = 0;

  const isFull = (channelId: string): boolean => {
    const channel = channels.get(channelId);
    return channel !== undefined && channel.count >= channel.max;
  };

  return {
    take({ channelId, isFailing, isProbe }) {
      const count = (channels.get(channelId)?.count ?? 0) + 1;
      channels.set(channelId, { count, max: isProbe ? 1 : settings.perChannelMax });
      takenCount += 1;
      if (isFailing) failingCount += 1;
    },
    free({ channelId, isFailing }) {
      const wasFull =
        takenCount >= settings.inFlightMax ||
        (isFailing && failingCount >= settings.failingMax) ||
        isFull(channelId);
      const channel = channels.get(channelId);
      if (channel) channel.count -= 1;
      if (channel?.count === 0) channels.delete(channelId);
      takenCount -= 1;
      if (isFailing) failingCount -= 1;
      return wasFull;
    },
    room() {
      const room = Math.max(0, settings.inFlightMax - takenCount);
      return {
        room,
        failingRoom: Math.max(0, Math.min(room, settings.failingMax - failingCount)),
        inFlight: [...channels].map(([channelId, { count }]) => ({ channelId, count })),
        fullChannelIds: [...channels.keys()].filter(isFull),
      };
    },
  };
}
