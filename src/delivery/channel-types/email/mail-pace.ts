// The pace of e-mails: mail servers count by sender, so all workspaces share five a second, and each that sends has an
// equal part of them, however many channels it has.

import { keepRecent } from "../../../lib/bounded-map.ts";
import { monotonicMs } from "../../../lib/clock.ts";
import type { Pace } from "../../send/endpoint.ts";

const intervalMs = 200;
/** A workspace that sent nothing for this long leaves its part to the others. */
const activeMs = 10_000;
const channelsMax = 20_000;

export type MailPace = {
  of(channelId: string): Pace;
  /** An e-mail of the channel is sent now. */
  note(mail: { channelId: string; workspaceId: string }): void;
};

export function createMailPace(nowMs: () => number = monotonicMs): MailPace {
  // Which workspace a channel belongs to is known from its first e-mail on.
  const workspaceOf = new Map<string, string>();
  const sentAtMs = new Map<string, number>();
  function countActive(): number {
    for (const [workspaceId, atMs] of sentAtMs) {
      if (nowMs() - atMs > activeMs) sentAtMs.delete(workspaceId);
    }
    return Math.max(1, sentAtMs.size);
  }
  return {
    of: (channelId) => ({
      get key() {
        return `email ${workspaceOf.get(channelId) ?? channelId}`;
      },
      get intervalMs() {
        return intervalMs * countActive();
      },
    }),
    note({ channelId, workspaceId }) {
      keepRecent(workspaceOf, { key: channelId, value: workspaceId, countMax: channelsMax });
      sentAtMs.set(workspaceId, nowMs());
    },
  };
}
