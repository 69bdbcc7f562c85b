// Rounds of faults: in each, something is under way (an import, a crawl, matching, deliveries, a migration, the fork
// of a listing), and a process of it is killed or stopped. Nothing owed may be lost and nothing else may come.
// CHAOS_ROUNDS says how many and CHAOS_SEED which; without them kills.test.ts and backfill.test.ts have to do.
import { randomBytes } from "node:crypto";
import { afterAll, expect, test } from "vitest";
import { ResourceStack } from "../../../src/lib/resource-stack.ts";
import { createRandom } from "./model-steps.ts";
import { faults } from "./rounds-faults.ts";
import * as phases from "./rounds-phases.ts";
import { openWorld } from "./rounds-world.ts";

const roundCount = Number(process.env["CHAOS_ROUNDS"] ?? 0);
const seed = Number(process.env["CHAOS_SEED"] ?? randomBytes(4).readUInt32BE());
const resources = new ResourceStack();
afterAll(() => resources.closeAll());

const ofService = ["service killed", "service stopped", "PostgreSQL killed", "PostgreSQL stopped"];
const ofCommand = ["PostgreSQL killed", "PostgreSQL stopped", "command killed", "command stopped"];

test.skipIf(roundCount === 0)(
  `${roundCount} rounds of kill -9 and SIGSTOP: nothing is lost and nothing is invented`,
  async () => {
    const random = createRandom(seed);
    const world = await openWorld(resources);
    const scene = await phases.openScene(world);
    const kinds = [
      { name: "crawl", phase: phases.crawl(scene, { isLate: false }), faultNames: ofService },
      { name: "match", phase: phases.crawl(scene, { isLate: true }), faultNames: ofService },
      { name: "deliver", phase: phases.deliver(scene), faultNames: ofService },
      { name: "import", phase: phases.importRows(scene), faultNames: [...ofCommand, ...ofService] },
      { name: "fork", phase: phases.fork(scene), faultNames: ofCommand },
      { name: "migrate", phase: phases.migrateEmpty, faultNames: ofCommand },
    ];
    // Each kind of work with each fault in turn; only the moment is left to chance.
    const pairs = kinds.flatMap(({ name, phase, faultNames }) =>
      [...new Set(faultNames)].map((faultName) => ({ name, phase, faultName })),
    );
    const counts = new Map<string, number>();
    let commandCount = 0;
    let runningCount = 0;
    for (let round = 0; round < roundCount; round += 1) {
      const pair = pairs[round % pairs.length];
      const fault = faults[pair?.faultName ?? ""];
      if (!pair || !fault) throw new Error(`no fault ${pair?.faultName}`);
      const what = `${pair.name}, ${pair.faultName}`;
      counts.set(what, (counts.get(what) ?? 0) + 1);
      process.stdout.write(`chaos: round ${round + 1} (seed ${seed}): ${what}\n`);
      const { command, finish } = await pair.phase(world, random);
      if (command) commandCount += 1;
      // One that had ended already was struck too late to say anything.
      if (command?.isRunning()) runningCount += 1;
      await fault({ world, random, command });
      await finish();
      await phases.settle(world);
      expect(world.ledger.listPhantoms()).toEqual([]);
    }
    for (const { listingId } of [scene.followed, scene.filled]) {
      await phases.expectRollups(world, listingId);
    }
    expect(await world.query("select count(*)::int as count from pending")).toEqual([{ count: 0 }]);
    expect(await world.service.stop()).toBe(0);
    const { owedCount, duplicateCount } = world.ledger.summarise();
    process.stdout.write(
      `chaos: ${roundCount} rounds: ${owedCount} events, 0 lost, 0 phantoms, ${duplicateCount} twice; ` +
        `${runningCount} of ${commandCount} commands were struck while they ran: ` +
        `${JSON.stringify(Object.fromEntries([...counts].sort()))}\n`,
    );
  },
  roundCount * 300_000 + 60_000,
);
