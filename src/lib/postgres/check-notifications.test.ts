// A connection that breaks while the arrival of a notification is awaited.
import { EventEmitter } from "node:events";
import type pg from "pg";
import { expect, test } from "vitest";
import { doNotificationsArrive } from "./check-notifications.ts";

test("both connections may break at once, and one error is thrown", async () => {
  const listener = Object.assign(new EventEmitter(), { query: async () => ({ rows: [] }) });
  const sender = {
    async query() {
      listener.emit("error", new Error("the listener broke"));
      // An unhandled rejection would end the process before this one.
      await new Promise(setImmediate);
      throw new Error("the sender broke");
    },
  };
  const check = doNotificationsArrive(
    listener as unknown as pg.Client,
    sender as unknown as pg.ClientBase,
  );
  await expect(check).rejects.toThrow(/broke/);
});
