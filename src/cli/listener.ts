// The local receiver of `starpost listen`: verifies the signature over the raw bytes, prints a line for each
// event, and answers with what the receiver behind it answers.
import { createHmac, timingSafeEqual } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { z } from "zod";
import { listen } from "../app/listen.ts";
import { parseJson } from "../lib/json.ts";
import { minuteMs } from "../lib/timestamp.ts";

export type Listener = {
  url: string;
  port: number;
  /** Until it is known every request is refused. */
  setSecret(secret: string): void;
  close(): Promise<void>;
};

// A translated body with before and after has less than a tenth of it.
const bodyBytesMax = 2_000_000;
const textLengthMax = 70;

const eventSchema = z.object({
  event: z.string(),
  app: z.object({ name: z.string() }),
  review: z.object({ rating: z.number(), text: z.string() }).optional(),
  change: z.object({ headline: z.string() }).optional(),
  ratingDrop: z.object({ drop: z.number(), currentAvg: z.number() }).optional(),
});

/** @throws AppError `unavailable` when the port is taken */
export async function openListener(options: {
  port: number;
  forwardUrl: string | null;
  print: (line: string) => void;
}): Promise<Listener> {
  let secret: string | null = null;
  const server = createServer((request, response) => {
    respond({ ...options, secret }, { request, response }).catch((error: unknown) => {
      options.print(`failed: ${error instanceof Error ? error.message : String(error)}`);
      response.writeHead(500).end();
    });
  });
  await listen(server, { host: "127.0.0.1", port: options.port });
  const address = server.address();
  const port = typeof address === "object" && address ? address.port : 0;
  return {
    port,
    url: `http://127.0.0.1:${port}/`,
    setSecret(text) {
      secret = text;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

type Exchange = { request: IncomingMessage; response: ServerResponse };

async function respond(
  options: { secret: string | null; forwardUrl: string | null; print: (line: string) => void },
  { request, response }: Exchange,
): Promise<void> {
  const body = await readBody(request);
  if (body === null) {
    response.writeHead(413).end();
    return;
  }
  const { secret, forwardUrl, print } = options;
  if (secret === null || !isSigned(body, { secret, request })) {
    print("refused: the signature is missing or wrong");
    response.writeHead(401).end();
    return;
  }
  const status = forwardUrl === null ? 204 : await forward(forwardUrl, { body, request });
  print(`${describe(body)}${forwardUrl === null ? "" : `  → ${status}`}`);
  response.writeHead(status).end();
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

function isSigned(
  body: Buffer,
  { secret, request }: { secret: string; request: IncomingMessage },
): boolean {
  const header = request.headers["x-service-signature"];
  const expected = Buffer.from(`sha256=${createHmac("sha256", secret).update(body).digest("hex")}`);
  const actual = Buffer.from(typeof header === "string" ? header : "");
  return actual.length === expected.length && timingSafeEqual(actual, expected);
}

/** The status of the receiver under development; 502 when it does not answer. */
async function forward(
  url: string,
  { body, request }: { body: Buffer; request: IncomingMessage },
): Promise<number> {
  const kept = Object.entries(request.headers).filter(([name]) =>
    /^(content-type|x-service-|webhook-|user-agent)/.test(name),
  );
  const headers = Object.fromEntries(kept.map(([name, value]) => [name, String(value)]));
  try {
    const signal = AbortSignal.timeout(minuteMs);
    const response = await fetch(url, {
      method: "POST",
      headers,
      body: new Uint8Array(body),
      signal,
    });
    await response.body?.cancel();
    return response.status;
  } catch {
    // The line that is printed shows it, and the service tries again.
    return 502;
  }
}

function describe(body: Buffer): string {
  const parsed = eventSchema.safeParse(parseJson(body.toString("utf8")));
  if (!parsed.success) return "an event of an unknown form";
  const { event, app, review, change, ratingDrop } = parsed.data;
  const head = `${event.padEnd(18)} ${app.name}`;
  if (ratingDrop) return `${head}: down by ${ratingDrop.drop} to ${ratingDrop.currentAvg}`;
  const words = (review?.text ?? "").replace(/\s+/g, " ");
  const text = words.length > textLengthMax ? `${words.slice(0, textLengthMax)}…` : words;
  return `${head} ${"★".repeat(review?.rating ?? 0)} ${change ? `(${change.headline}) ` : ""}${text}`;
}
