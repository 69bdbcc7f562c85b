// Clients of a service in a thread of their own: what they compute themselves takes no turn of the service's thread.
import { once } from "node:events";
import { setTimeout as delay } from "node:timers/promises";
import { parentPort, Worker, workerData } from "node:worker_threads";

export type ClientRequest = {
  url: string;
  method?: string;
  headers: Record<string, string>;
  body?: string;
};

/** `lateMs`: the longest that the thread itself waited for a processor, which is part of the latencies. */
export type Answers = { statuses: number[]; latenciesMs: number[]; lateMs: number };

export type ClientThread = {
  /** Sends all at once. */
  send(requests: readonly ClientRequest[]): Promise<Answers>;
  /** Sends one at a time on a schedule, in a circle and whether or not earlier ones were answered, until it is stopped. */
  sendEvery(everyMs: number, requests: readonly ClientRequest[]): { stop(): Promise<Answers> };
  close(): Promise<void>;
};

type Call = { requests: readonly ClientRequest[]; everyMs?: number } | "stop";

const marker = "client-thread";

export function openClientThread(): ClientThread {
  const worker = new Worker(new URL(import.meta.url), { workerData: marker });
  const call = async (message: Call): Promise<Answers> => {
    worker.postMessage(message);
    return (await once(worker, "message"))[0] as Answers;
  };
  return {
    send: (requests) => call({ requests }),
    sendEvery(everyMs, requests) {
      worker.postMessage({ requests, everyMs } satisfies Call);
      return { stop: () => call("stop") };
    },
    async close() {
      await worker.terminate();
    },
  };
}

let isStopped = false;

async function answer({ requests, everyMs }: Exclude<Call, "stop">): Promise<Answers> {
  const answers: Answers = { statuses: [], latenciesMs: [], lateMs: 0 };
  if (everyMs === undefined) {
    await Promise.all(requests.map((request) => send(request, answers)));
    return answers;
  }
  isStopped = false;
  const sent: Promise<void>[] = [];
  while (!isStopped) {
    const request = requests[sent.length % requests.length];
    if (request) sent.push(send(request, answers));
    const startedMs = performance.now();
    await delay(everyMs);
    answers.lateMs = Math.max(answers.lateMs, performance.now() - startedMs - everyMs);
  }
  await Promise.all(sent);
  return answers;
}

async function send({ url, ...init }: ClientRequest, answers: Answers): Promise<void> {
  const startedMs = performance.now();
  const response = await fetch(url, init);
  await response.arrayBuffer();
  answers.latenciesMs.push(performance.now() - startedMs);
  answers.statuses.push(response.status);
}

if (workerData === marker && parentPort) {
  const port = parentPort;
  port.on("message", async (call: Call) => {
    if (call === "stop") isStopped = true;
    else port.postMessage(await answer(call));
  });
}
