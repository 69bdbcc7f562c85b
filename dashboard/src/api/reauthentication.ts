// Requests that need a recently entered password, or a new session in place of one that has ended: the request waits
// while the user is asked, and is then sent again. The page stays as it is, with everything that was typed.
import { RequestError } from "./http-request.ts";

export type Question = "password" | "session";

/** Whether the user answered it; false when they cancelled. */
type ShowQuestion = (question: Question) => Promise<boolean>;

let showQuestion: ShowQuestion | null = null;
let openQuestion: Promise<boolean> | null = null;

/** The dialog, while it is on the page. Returns what takes it away again. */
export function setQuestionDialog(show: ShowQuestion): () => void {
  showQuestion = show;
  return () => {
    if (showQuestion === show) showQuestion = null;
  };
}

/** @throws RequestError also when the user cancelled */
export async function withReauthentication<T>(send: () => Promise<T>): Promise<T> {
  try {
    return await send();
  } catch (error) {
    const question = error instanceof RequestError ? questionOf(error) : null;
    if (question === null || !(await waitForUser(question))) throw error;
    return send();
  }
}

/** False also where no page of a workspace is open. Two requests that are refused at once ask once. */
export async function waitForUser(question: Question): Promise<boolean> {
  if (!showQuestion) return false;
  openQuestion ??= showQuestion(question).finally(() => {
    openQuestion = null;
  });
  return openQuestion;
}

function questionOf({ code, status }: RequestError): Question | null {
  if (code === "reauthentication_required") return "password";
  return status === 401 ? "session" : null;
}
