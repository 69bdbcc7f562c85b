// The answer to work that may take longer than proxies wait: its progress is sent meanwhile.
import { streamTexts } from "./text-stream.ts";

type LongWork<Result> = {
  /** `onProgress` is called with a text to send once nothing can be refused any more. */
  run(onProgress: (text: string) => void): Promise<Result>;
  toText(result: Result): string;
  headers: Record<string, string>;
};

/**
 * Work that ends before its first progress is answered as a whole, and its failure is thrown. Later ones break the answer off.
 *
 * @throws as the work
 */
export async function answerLongWork<Result>(work: LongWork<Result>): Promise<Response> {
  const { headers, toText } = work;
  // The latest one that was not sent.
  let text = "";
  let wake = (): void => {};
  let progress = new Promise<void>((resolve) => {
    wake = resolve;
  });
  const done = work.run((reported) => {
    text = reported;
    wake();
  });
  // Until the stream waits for it, its failure must not count as unhandled.
  done.catch(() => {});
  await Promise.race([progress, done]);
  if (text === "") return new Response(toText(await done), { headers });
  async function* write(): AsyncGenerator<string> {
    for (;;) {
      const ended = await Promise.race([
        progress.then(() => null),
        done.then((result) => [result]),
      ]);
      if (ended) return yield toText(ended[0] as Result);
      progress = new Promise((resolve) => {
        wake = resolve;
      });
      yield text;
    }
  }
  return new Response(streamTexts(write()), { headers });
}
