// Waits for the first attempt of a test delivery and says how the endpoint answered.
import type { Database } from "../database/database.ts";
import { AppError } from "../domain/error.ts";
import { monotonicMs } from "../lib/clock.ts";
import { systemDelay } from "../lib/delay.ts";
import { secondMs } from "../lib/timestamp.ts";
import { findDelivery } from "../use-cases/channels/deliveries.ts";

export type TestResult = {
  isDelivered: boolean;
  status: number | null;
  durationMs: number | null;
  /** E.g. `204 in 12 ms`, or why the answer is missing. */
  result: string;
};

const pollMs = 100;
// Besides the attempt itself: until a worker has taken the delivery and has recorded the outcome.
const queueWaitMs = 5 * secondMs;

export async function waitForTestResult(
  database: Pick<Database, "findDelivery">,
  test: { deliveryId: string; timeoutMs: number },
): Promise<TestResult> {
  const deadlineMs = monotonicMs() + test.timeoutMs + queueWaitMs;
  while (monotonicMs() < deadlineMs) {
    const delivery = await findDelivery(database, { id: test.deliveryId, workspaceId: null }).catch(
      nullIfGone,
    );
    if (delivery === null) {
      return { ...noAnswer, status: 410, result: "410: the channel was deleted" };
    }
    const [attempt] = delivery.attempts;
    if (attempt) {
      const { status, durationMs, reason } = attempt;
      // Not the delivery's status: it is read a moment before its attempts.
      const isDelivered = reason === null;
      // A mail server answers with no status of HTTP, but with words.
      const answer = status ?? reason ?? attempt.answer?.split("\n", 1)[0] ?? "delivered";
      // A failure without a status often took no time at all, such as a name that can't be resolved.
      const isAnswered = isDelivered || status !== null;
      const result = isAnswered ? `${answer} in ${durationMs} ms` : `${answer}`;
      return { isDelivered, status, durationMs, result };
    }
    await systemDelay(pollMs);
  }
  return { ...noAnswer, result: "not sent yet: is a service with the role deliver running?" };
}

const noAnswer = { isDelivered: false, status: null, durationMs: null };

// An answer of 410 deletes the channel with its deliveries.
function nullIfGone(error: unknown): null {
  if (error instanceof AppError && error.code === "not_found") return null;
  throw error;
}
