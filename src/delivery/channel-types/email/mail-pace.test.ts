// How e-mails of several workspaces share the pace.
import { expect, test } from "vitest";
import { createMailPace } from "./mail-pace.ts";

test("workspaces that send have equal parts, whatever the number of their channels", () => {
  let nowMs = 0;
  const pace = createMailPace(() => nowMs);
  for (let number = 0; number < 100; number += 1) {
    pace.note({ channelId: `channel ${number}`, workspaceId: "busy" });
  }
  expect(pace.of("channel 1").key).toBe(pace.of("channel 99").key);
  expect(pace.of("channel 1").intervalMs).toBe(200);

  pace.note({ channelId: "single", workspaceId: "quiet" });
  expect(pace.of("single").key).not.toBe(pace.of("channel 1").key);
  expect([pace.of("single").intervalMs, pace.of("channel 1").intervalMs]).toEqual([400, 400]);

  nowMs = 10_001;
  pace.note({ channelId: "single", workspaceId: "quiet" });
  expect(pace.of("single").intervalMs).toBe(200);
});
