// Sends a file as the body of a request, and hands on how much of it was sent and the lines of JSON of the answer as they
// arrive. fetch can't do the first.
import { RequestError, readProblem } from "./http-request.ts";

type Upload<Line> = {
  file: File;
  signal: AbortSignal;
  /** Called with a share from 0 to 1. */
  onSent: (share: number) => void;
  onLine: (line: Line) => void;
};

/**
 * The type parameter is what the contract says of the lines; it is not checked again.
 *
 * @throws RequestError for every failure but an aborted request
 */
export function uploadFile<Line>(url: string, upload: Upload<Line>): Promise<void> {
  const { file, signal, onSent, onLine } = upload;
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    let takenLength = 0;
    const takeLines = (): void => {
      const text = request.responseText;
      const end = text.lastIndexOf("\n") + 1;
      const lines = text.slice(takenLength, end).split("\n");
      takenLength = Math.max(takenLength, end);
      for (const line of lines) if (line !== "") onLine(JSON.parse(line) as Line);
    };
    request.upload.onprogress = ({ loaded, total }) => onSent(total > 0 ? loaded / total : 0);
    request.onprogress = () => {
      if (request.status === 200) takeLines();
    };
    request.onload = () => {
      if (request.status !== 200) {
        const response = new Response(request.responseText, { status: request.status });
        return void readProblem(response).then(reject, reject);
      }
      takeLines();
      resolve();
    };
    request.onerror = () => reject(new RequestError(brokenOff));
    request.onabort = () => reject(signal.reason);
    signal.addEventListener("abort", () => request.abort());
    request.open("POST", url);
    request.setRequestHeader("Accept", "application/json");
    request.setRequestHeader("Content-Type", "application/octet-stream");
    request.send(file);
  });
}

const brokenOff = {
  status: 0,
  code: "unreachable",
  detail:
    "The connection broke off. Choose the file again: rows that were saved stay, and are not imported twice.",
};
