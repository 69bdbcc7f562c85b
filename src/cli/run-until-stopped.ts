// For commands that serve until SIGINT or SIGTERM.
import type { Shell } from "./command.ts";
import type { Running } from "./context.ts";

/** `start` returns null when it was stopped before it was ready. */
export async function runUntilStopped(
  shell: Shell,
  start: () => Promise<Running | null>,
): Promise<void> {
  // Listen first: a service that is stopped while it starts still closes in order.
  const stopped = shell.untilStopped();
  const running = await start();
  if (running === null) return;
  if (shell.isJson) await shell.write(`${JSON.stringify({ url: running.url })}\n`);
  await stopped;
  await running.close();
}
