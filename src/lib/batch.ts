// Questions that arrive together share one query: under load a query for each of them costs more than its answer.

type Batch<Question, Answer> = { questions: Question[]; answers: Promise<readonly Answer[]> };

/**
 * @param load the answers in the order of the questions; it begins after all of them were asked. When it
 *   rejects, so do they all.
 * @param countMax of the questions of one query; more of them are another one
 */
export function createBatch<Question, Answer>(
  load: (questions: readonly Question[]) => Promise<readonly Answer[]>,
  countMax: number,
): (question: Question) => Promise<Answer> {
  let current: Batch<Question, Answer> | null = null;

  function startBatch(): Batch<Question, Answer> {
    const questions: Question[] = [];
    // Resolves once all requests that arrived together have been read.
    const isComplete = new Promise<void>((resolve) => setImmediate(resolve));
    const batch = {
      questions,
      answers: isComplete.then(() => {
        if (current === batch) current = null;
        return load(questions);
      }),
    };
    return batch;
  }

  return async (question) => {
    if (current === null || current.questions.length === countMax) current = startBatch();
    const index = current.questions.push(question) - 1;
    const answers = await current.answers;
    if (index >= answers.length) throw new Error("a batch has fewer answers than questions");
    return answers[index] as Answer;
  };
}
