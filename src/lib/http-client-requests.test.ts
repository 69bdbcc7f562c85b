// A call of the HTTP client is one request, however its answer breaks: counted at the server for every fault of an answer × new
// and used connections × whole bodies and exports that are read as they come.
import { expect, test } from "vitest";
import { faultyAnswers, openFaultyEndpoint } from "../../test/support/faulty-answers.ts";
import { patience } from "../../test/support/patience.ts";
import { openHttpClient } from "./http-client.ts";

const readers = { "a whole body": undefined, "an export": readAll };

async function readAll(chunks: AsyncIterable<Buffer>): Promise<void> {
  for await (const _ of chunks);
}

const cases = Object.entries(faultyAnswers).flatMap(([fault, { answer, isRead = false }]) =>
  Object.entries(readers).flatMap(([what, readBody]) =>
    [false, true].map((isUsed) => ({ fault, what, isUsed, answer, isRead, readBody })),
  ),
);

test.each(cases)("$fault, for $what, used connection: $isUsed", async (one) => {
  const { fault, answer, isRead, isUsed, readBody } = one;
  const endpoint = await openFaultyEndpoint({ answer, delayMs: 0, goodCount: isUsed ? 1 : 0 });
  const totalTimeoutMs = fault === "nothing" ? 200 : patience(5_000);
  const client = openHttpClient({ totalTimeoutMs, bodyBytesMax: 100_000 });
  const call = () =>
    client.http({ method: "GET", url: endpoint.url, ...(readBody ? { readBody } : {}) });
  const answers = isUsed ? [await call(), await call()] : [await call()];
  expect(endpoint.requestCount()).toBe(answers.length);
  const last = answers.at(-1);
  if (isRead && !/body|chunks/.test(fault)) expect(last).toMatchObject({ kind: "response" });
  if (last?.kind === "failed") expect(last.detail).not.toMatch(/UND_ERR|HPE_|undefined|^$/);
  await client.close();
  await endpoint.close();
});
