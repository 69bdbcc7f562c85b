// Clients of a service in a process of their own: what they compute and decompress themselves takes no turn of the service's
// threads.
import { fork } from "node:child_process";
import { once } from "node:events";
import process from "node:process";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";

export type ClientRequest = {
  url: string;
  method?: string;
  headers: Record<string, string>;
  body?: string;
};

/** `lateMs`: the longest that the process itself waited for a processor, which is part of the latencies. */
export type Answers = {
  statuses: number[];
  latenciesMs: number[];
  /** Status and body of each answer that is not one of success. */
  refusals: string[];
  lateMs: number;
};

export type ClientProcess = {
  /** Sends all at once. */
  send(requests: readonly ClientRequest[]): Promise<Answers>;
  /** Sends one at a time on a schedule, in a circle and whether or not earlier ones were answered, until it is stopped. */
  sendEvery(everyMs: number, requests: readonly ClientRequest[]): { stop(): Promise<Answers> };
  close(): Promise<void>;
};

type Call = { requests: readonly ClientRequest[]; everyMs?: number } | "stop";

const marker = "client-process";

export function openClientProcess(): ClientProcess {
  const client = fork(fileURLToPath(import.meta.url), [marker]);
  const call = async (message: Call): Promise<Answers> => {
    client.send(message);
    return (await once(client, "message"))[0] as Answers;
  };
  return {
    send: (requests) => call({ requests }),
    sendEvery(everyMs, requests) {
      client.send({ requests, everyMs } satisfies Call);
      return { stop: () => call("stop") };
    },
    async close() {
      client.disconnect();
      await once(client, "exit");
    },
  };
}

let isStopped = false;

async function answer({ requests, everyMs }: Exclude<Call, "stop">): Promise<Answers> {
  const answers: Answers = { statuses: [], latenciesMs: [], refusals: [], lateMs: 0 };
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
  const body = await response.text();
  if (!response.ok) answers.refusals.push(`${response.status} ${body.slice(0, 300)}`);
  answers.latenciesMs.push(performance.now() - startedMs);
  answers.statuses.push(response.status);
}

if (process.argv[2] === marker) {
  process.on("message", async (call: Call) => {
    if (call === "stop") isStopped = true;
    else process.send?.(await answer(call));
  });
}
