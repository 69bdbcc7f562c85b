// The story of the demo has the same end at every hour of the day: a release drained the battery, and the next one fixed it.
import { expect, onTestFinished, test } from "vitest";
import { createSampleStores, sampleAppStoreApp } from "../simulator/sample-stores.ts";
import { openSimulator } from "../simulator/simulator.ts";
import { worseByDefault } from "../src/domain/changes/verdict.ts";
import { createSampleWorkspace } from "../src/features/demo/sample-workspace.ts";
import { readIncidents } from "../src/features/digests/read-incidents.ts";
import { readVerdicts } from "../src/features/verdict/read-verdicts.ts";
import { dayOf } from "../src/lib/timestamp.ts";
import { MovableClock } from "./support/movable-clock.ts";
import { startBareService } from "./support/service.ts";

test.each(["2026-11-30T00:05:00Z", "2026-12-05T11:55:00Z", "2026-12-05T12:00:00Z"])(
  "a demo that starts at %s",
  async (at) => {
    const clock = new MovableClock(new Date(at));
    const sample = createSampleStores({ clock, pastDays: 90, isStory: true });
    const simulator = await openSimulator({ clock, storeState: sample.storeState });
    onTestFinished(() => simulator.close());
    const service = await startBareService({ storesUrl: simulator.url, clock });
    onTestFinished(() => service.close());
    const { workspaceId } = await createSampleWorkspace(service.deps, {
      storeState: sample.storeState,
      from: sample.from,
      receiverUrl: "http://127.0.0.1:9",
      print: () => {},
    });
    const { database } = service.deps;
    const apps = (await database.listFollowedApps({ workspaceId, ids: null })).filter(
      ({ store }) => store === sampleAppStoreApp.store,
    );
    const verdicts = await readVerdicts(database, {
      workspaceId,
      apps,
      worseBy: worseByDefault,
      releases: { newestMax: 2 },
    });
    const to = dayOf(clock.now());
    const { incidents } = await readIncidents(database, {
      workspaceId,
      appIds: apps.map(({ id }) => id),
      to,
    });
    const battery = incidents.filter(({ topic }) => topic === "battery");
    expect(battery.map(({ state }) => state)).toEqual(["resolved"]);
    const fixed = /Fixed in \d+\.\d+\.1: 0 of \d+ reviews complain about the battery/;
    expect(verdicts.map(({ words }) => fixed.test(words)).slice(0, 2)).toEqual([false, true]);
  },
);
