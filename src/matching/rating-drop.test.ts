import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Channel, channelDefaults, webhookFields } from "../domain/channel/channel.ts";
import { matchRatingDrop } from "./rating-drop.ts";

const channel: Channel = {
  ...channelDefaults,
  ...webhookFields,
  id: "channel-1",
  workspaceId: "workspace-1",
  name: "Invented",
  url: "https://hooks.example.com/",
  createdAt: new Date("2026-03-01T00:00:00Z"),
};

function kindOf(input: {
  from: number;
  to: number;
  filters?: Partial<Channel>;
  isOpen?: boolean;
  totals?: [number, number];
}): string {
  const [baselineTotal, total] = input.totals ?? [100, 100];
  return matchRatingDrop({
    channel: { ...channel, ...input.filters },
    app: { id: "app-1", store: "appstore" },
    current: { average: input.to, total },
    baseline: { average: input.from, total: baselineTotal },
    isOpen: input.isOpen ?? false,
  }).kind;
}

test("a drop has both averages, both samples, the period and two decimals", () => {
  const found = matchRatingDrop({
    channel,
    app: { id: "app-1", store: "appstore" },
    current: { average: 4.1234, total: 1_200 },
    baseline: { average: 4.5, total: 1_100 },
    isOpen: false,
  });
  expect(found).toEqual({
    kind: "drop",
    ratingDrop: {
      currentAvg: 4.1234,
      baselineAvg: 4.5,
      drop: 0.38,
      sampleSize: 1_200,
      baselineSampleSize: 1_100,
      periodDays: 7,
    },
  });
});

describe("the threshold", () => {
  test.each([
    [4.5, 4.4, 0.1, "drop"],
    [4.5, 4.41, 0.1, "none"],
    [4.5, 4.6, 0.1, "none"],
    [4.37, 4.3, 0.07, "drop"],
    [4.59, 4.3, 0.29, "drop"],
    [4.58, 4.3, 0.29, "none"],
    [5, 1, 4, "drop"],
  ])("from %d to %d with a threshold of %d: %s", (from, to, dropThreshold, kind) => {
    expect(kindOf({ from, to, filters: { dropThreshold } })).toBe(kind);
  });

  test("is met by every drop of exactly its size, whatever binary makes of it", () => {
    const hundredths = fc.integer({ min: 1, max: 400 });
    fc.assert(
      fc.property(hundredths, fc.integer({ min: 100, max: 500 }), (drop, to) => {
        const input = { from: (to + drop) / 100, to: to / 100 };
        expect(kindOf({ ...input, filters: { dropThreshold: drop / 100 } })).toBe("drop");
        expect(kindOf({ ...input, filters: { dropThreshold: (drop + 1) / 100 } })).toBe("none");
      }),
    );
  });
});

describe("an episode", () => {
  test.each([
    [4.5, 4.3, "none"],
    [4.5, 4.45, "none"],
    [4.5, 4.46, "rearm"],
    [4.5, 4.6, "rearm"],
  ])("that is open, from %d to %d: %s", (from, to, kind) => {
    expect(kindOf({ from, to, isOpen: true })).toBe(kind);
  });

  test("ends even while the channel does not want the event", () => {
    expect(kindOf({ from: 4.5, to: 4.5, isOpen: true, filters: { events: [] } })).toBe("rearm");
  });
});

describe("nothing is said", () => {
  test.each<[string, Parameters<typeof kindOf>[0]]>([
    ["with too few ratings now", { from: 4.5, to: 4, totals: [30, 29] }],
    ["with too few ratings then", { from: 4.5, to: 4, totals: [29, 30] }],
    ["with the event disabled", { from: 4.5, to: 4, filters: { events: ["review.created"] } }],
    ["for another app", { from: 4.5, to: 4, filters: { apps: ["app-2"] } }],
  ])("%s", (_what, input) => {
    expect(kindOf(input)).toBe("none");
  });

  test("without a baseline", () => {
    const current = { average: 1, total: 100 };
    const found = matchRatingDrop({
      channel,
      app: { id: "app-1", store: "appstore" },
      current,
      baseline: null,
      isOpen: false,
    });
    expect(found).toEqual({ kind: "none" });
  });

  test("but exactly the smallest sample is enough", () => {
    expect(kindOf({ from: 4.5, to: 4, totals: [30, 30] })).toBe("drop");
  });
});

test("a channel with digests gets no event of a drop", () => {
  const drop = { from: 4.5, to: 4 };
  expect(kindOf(drop)).toBe("drop");
  expect(kindOf({ ...drop, filters: { digest: "weekly" } })).toBe("none");
});
