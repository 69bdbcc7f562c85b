// Questions that arrive together share one query: under load a query for each of them costs more than its answer.
import { secondMs } from "./timestamp.ts";

type Waiter<Question, Answer> = {
  question: Question;
  resolve(answer: Answer): void;
  reject(error: unknown): void;
};

/**
 * @param load the answers in the order of the questions; it begins after all of them were asked. When it
 *   rejects, so do they all.
 */
export function createBatch<Question, Answer>(
  load: (questions: readonly Question[]) => Promise<readonly Answer[]>,
  limits: {
    /** Questions of one query; more of them are another one. */
    countMax: number;
    /** Queries under way; what is asked meanwhile is gathered for the next one. */
    runningMax: number;
    /** A query without an answer for so long is behind a link that died, or a lock: it holds nothing back any more. */
    holdMsMax?: number;
  },
): (question: Question) => Promise<Answer> {
  const { countMax, runningMax, holdMsMax = secondMs } = limits;
  type Waiting = Waiter<Question, Answer>;
  const waiting: Waiting[] = [];
  let holdingCount = 0;

  function runWaiting(): void {
    while (waiting.length > 0 && holdingCount < runningMax) {
      const release = hold();
      void run(waiting.splice(0, countMax)).finally(release);
    }
  }

  function hold(): () => void {
    holdingCount += 1;
    let isHeld = true;
    const release = (): void => {
      clearTimeout(timer);
      if (isHeld) holdingCount -= 1;
      isHeld = false;
      runWaiting();
    };
    const timer = setTimeout(release, holdMsMax);
    return release;
  }

  async function run(batch: readonly Waiting[]): Promise<void> {
    try {
      const answers = await load(batch.map(({ question }) => question));
      if (answers.length < batch.length) throw new Error("a batch has too few answers");
      for (const [index, { resolve }] of batch.entries()) resolve(answers[index] as Answer);
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
  }

  return (question) =>
    new Promise((resolve, reject) => {
      // Runs once all requests that arrived together have been read.
      if (waiting.length === 0) setImmediate(runWaiting);
      waiting.push({ question, resolve, reject });
    });
}
