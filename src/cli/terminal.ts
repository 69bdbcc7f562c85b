// The terminal of a command: questions before something is destroyed, and progress in one line that is
// written over. Away from a terminal nothing is asked, what needs an answer is refused, and progress is a line each time.
import readline from "node:readline/promises";

type Output = NodeJS.WritableStream & { isTTY?: boolean };
type Input = NodeJS.ReadableStream & { isTTY?: boolean };

export type Terminal = {
  /** Whether a person reads stderr and can answer. */
  isInteractive: boolean;
  /** A line to stderr. */
  note(line: string): void;
  /** @param share from 0 to 1, for a bar; null when the end is not known */
  showProgress(text: string, share?: number | null): void;
  /** Removes the line of the progress, before something else is written. */
  clearProgress(): void;
  /** Returns true for yes; anything else, Ctrl-C and Ctrl-D included, declines. */
  confirm(question: string): Promise<boolean>;
};

const barWidth = 24;
const clearLine = "\r\u001b[K";

export function createTerminal(streams: { stdin: Input; stderr: Output }): Terminal {
  const { stdin, stderr } = streams;
  const isInteractive = stdin.isTTY === true && stderr.isTTY === true;
  let isProgressShown = false;
  const clearProgress = (): void => {
    if (isProgressShown) stderr.write(clearLine);
    isProgressShown = false;
  };
  return {
    isInteractive,
    clearProgress,
    note(line) {
      clearProgress();
      stderr.write(`${line}\n`);
    },
    showProgress(text, share = null) {
      isProgressShown = stderr.isTTY === true;
      stderr.write(isProgressShown ? `${clearLine}${formatProgress(text, share)}` : `${text}\n`);
    },
    async confirm(question) {
      clearProgress();
      const lines = readline.createInterface({ input: stdin, output: stderr });
      // Ctrl-C rejects the question and Ctrl-D only closes the input; both decline.
      const answer = await new Promise<string>((resolve) => {
        // An answer and the end of the input can arrive together: the answer counts.
        lines.once("close", () => setImmediate(resolve, ""));
        lines.question(`${question} [y/N] `).then(resolve, () => resolve(""));
      });
      lines.close();
      return /^y(es)?$/i.test(answer.trim());
    },
  };
}

function formatProgress(text: string, share: number | null): string {
  if (share === null) return text;
  const part = Math.min(Math.max(share, 0), 1);
  const bar = "█".repeat(Math.round(part * barWidth)).padEnd(barWidth, "░");
  return `${bar} ${String(Math.round(part * 100)).padStart(3)} %  ${text}`;
}
