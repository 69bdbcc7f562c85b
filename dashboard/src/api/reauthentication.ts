// Requests that need a recently entered password: the request waits while the user is asked, and is
// then sent again.
import { RequestError } from "./http-request.ts";

/** Whether the user entered it; false when they cancelled. */
type PasswordQuestion = () => Promise<boolean>;

let showQuestion: PasswordQuestion | null = null;
let openQuestion: Promise<boolean> | null = null;

/** The dialog, while it is on the page. Returns what takes it away again. */
export function setPasswordDialog(show: PasswordQuestion): () => void {
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
    const isNeeded = error instanceof RequestError && error.code === "reauthentication_required";
    if (!isNeeded || !showQuestion) throw error;
    // Two requests that are refused at once ask once.
    openQuestion ??= showQuestion().finally(() => {
      openQuestion = null;
    });
    if (!(await openQuestion)) throw error;
    return send();
  }
}
