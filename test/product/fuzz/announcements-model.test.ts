// Random sequences of reviews, edits, rating drops, filters, pauses, moves, redeliveries and answers on PostgreSQL, against a
// model of what each channel must get. The same sequences each time, and random ones with FUZZ=1; SEED repeats one.
import { randomBytes } from "node:crypto";
import { test } from "vitest";
import { AnnouncementRun } from "../../support/announcement-run.ts";
import { openChannelWorldWithReceiver } from "../../support/channel-world.ts";
import { longTest } from "../../support/patience.ts";
import { volume } from "../../support/volume.ts";
import { isMeasured } from "./fuzz-case.ts";

const stepCount = 120;
const seed = process.env["SEED"];
const seeds = seed
  ? [Number(seed)]
  : Array.from({ length: volume(25) }, (_, index) =>
      isMeasured ? randomBytes(4).readUInt32BE() : index,
    );

test.each(seeds)("channels get what the model says, seed %d", longTest, async (one) => {
  const { world, receiver, close } = await openChannelWorldWithReceiver();
  try {
    const run = await AnnouncementRun.open({ world, receiver, seed: one });
    for (let step = 0; step < stepCount; step += 1) await run.step();
    await run.deliverTheRest();
    process.stdout.write(`seed ${one}: ${stepCount} steps, ${run.describe()}\n`);
  } finally {
    await close();
  }
});
