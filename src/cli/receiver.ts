// A webhook receiver on this machine, for the demo and `starpost listen`: verifies every signature over the raw
// bytes with the client library, prints one line for each event, and answers what its owner says.

import { createServer, type IncomingMessage } from "node:http";
import type { StarpostEvent } from "../../sdk/src/types.ts";
import { verifyWebhook, WebhookError } from "../../sdk/src/webhook.ts";
import { listen } from "../app/listen.ts";
import { drawStars, toReviewLine } from "../domain/review/review-line.ts";
import { messageOf } from "../lib/errors.ts";

export type Receiver = { port: number; url: string; close(): Promise<void> };

/** A request whose signature is right. */
export type VerifiedRequest = {
  body: Buffer;
  headers: IncomingMessage["headers"];
};

type ReceiverOptions = {
  /** 0 takes a free one. */
  port: number;
  /** The secret of the channel that sends here; every request is refused while it is null. */
  secret: () => string | null;
  print: (line: string) => void;
  /** The status for a path that refuses everything, verified or not; null for all others. */
  refuse?: (path: string) => number | null;
  /** The status for a verified request; 204 unless given. */
  answer?: (request: VerifiedRequest) => Promise<number>;
};

// A translated body with before and after has less than a tenth of it.
const bodyBytesMax = 2_000_000;

/** @throws AppError `unavailable` when the port is taken */
export async function openReceiver(options: ReceiverOptions): Promise<Receiver> {
  const server = createServer((request, response) => {
    respond(options, request).then(
      (status) => response.writeHead(status).end(),
      (error: unknown) => {
        options.print(`failed: ${messageOf(error)}`);
        response.writeHead(500).end();
      },
    );
  });
  await listen(server, { host: "127.0.0.1", port: options.port });
  const address = server.address();
  const port = typeof address === "object" && address ? address.port : 0;
  return {
    port,
    url: `http://127.0.0.1:${port}/starpost`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function respond(options: ReceiverOptions, request: IncomingMessage): Promise<number> {
  const { secret, print, refuse, answer } = options;
  const { headers } = request;
  const body = await readBody(request);
  if (body === null) return 413;
  const refusal = refuse?.(request.url ?? "/") ?? null;
  if (refusal !== null) return refusal;
  try {
    const { event } = await verifyWebhook({ body, headers, secret: secret() ?? [] });
    const status = (await answer?.({ body, headers })) ?? 204;
    print(`${describe(event)}${answer ? `  → ${status}` : ""}`);
    return status;
  } catch (error) {
    if (!(error instanceof WebhookError)) throw error;
    print(`refused: ${error.message}`);
    return 401;
  }
}

async function readBody(request: IncomingMessage): Promise<Buffer | null> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of request) {
    const bytes = Buffer.from(chunk);
    length += bytes.length;
    if (length > bodyBytesMax) return null;
    chunks.push(bytes);
  }
  return Buffer.concat(chunks);
}

const textLengthMax = 70;

function describe(event: StarpostEvent): string {
  const prefix = `${event.event.padEnd(18)} ${event.app ? `${event.app.name}, ${event.app.store}` : ""}`;
  if ("ratingDrop" in event) {
    const { drop, currentAvg } = event.ratingDrop;
    return `${prefix}: down by ${drop} to ${currentAvg}`;
  }
  if (!("review" in event)) return `${prefix}: ${event.lines.join("; ")}`;
  const { rating, title, text, country } = event.review;
  const change = "change" in event ? `(${event.change.headline}) ` : "";
  return `${prefix} ${drawStars(rating)} ${country}  ${change}${toReviewLine({ title, text }, textLengthMax)}`;
}
