// The customer's side of the demo: a webhook receiver that verifies every signature over the raw bytes
// and prints one line per event. It is also an example of how to write a receiver.
import { createHmac, timingSafeEqual } from "node:crypto";
import { createServer, type IncomingMessage } from "node:http";
import { z } from "zod";

export type Receiver = { url: string; close(): Promise<void> };

const bodyBytesMax = 1_000_000;

const event = z.object({
  event: z.string(),
  app: z.object({ name: z.string(), store: z.string() }),
  review: z
    .object({
      rating: z.number(),
      title: z.string().nullable(),
      text: z.string(),
      country: z.string(),
    })
    .optional(),
  change: z.object({ headline: z.string() }).optional(),
  ratingDrop: z.object({ drop: z.number(), currentAvg: z.number() }).optional(),
});

export async function openReceiver(options: {
  /** The secret of the channel that sends here; known once the channel is made. */
  secret: () => string;
  print: (line: string) => void;
}): Promise<Receiver> {
  const server = createServer((request, response) => {
    respond(options, request).then(
      (status) => response.writeHead(status).end(),
      (error: unknown) => {
        options.print(`the receiver failed: ${String(error)}`);
        response.writeHead(500).end();
      },
    );
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(0, "127.0.0.1", resolve);
  });
  const address = server.address();
  const port = typeof address === "object" && address ? address.port : 0;
  return {
    url: `http://127.0.0.1:${port}/starpost`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function respond(
  options: { secret: () => string; print: (line: string) => void },
  request: IncomingMessage,
): Promise<number> {
  const body = await readBody(request);
  if (body === null) return 413;
  // The endpoint of the channel that fails.
  if (request.url?.endsWith("/closed")) return 503;
  const header = request.headers["x-service-signature"];
  if (!isSigned(body, { secret: options.secret(), header })) {
    options.print("refused: the signature is missing or wrong");
    return 401;
  }
  options.print(describe(event.parse(JSON.parse(body.toString("utf8")))));
  return 204;
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
  { secret, header }: { secret: string; header: string | string[] | undefined },
): boolean {
  const expected = Buffer.from(`sha256=${createHmac("sha256", secret).update(body).digest("hex")}`);
  const actual = Buffer.from(typeof header === "string" ? header : "");
  return actual.length === expected.length && timingSafeEqual(actual, expected);
}

const textLengthMax = 70;

function describe(body: z.infer<typeof event>): string {
  const { app, review, change, ratingDrop } = body;
  const prefix = `${body.event.padEnd(18)} ${app.store.padEnd(10)}`;
  if (ratingDrop) return `${prefix} down by ${ratingDrop.drop} to ${ratingDrop.currentAvg}`;
  const stars = "★".repeat(review?.rating ?? 0).padEnd(5, "☆");
  const words = [review?.title, review?.text].filter(Boolean).join(": ").replace(/\s+/g, " ");
  const cut = words.length > textLengthMax ? `${words.slice(0, textLengthMax)}…` : words;
  return `${prefix} ${stars} ${review?.country ?? ""}  ${change ? `(${change.headline}) ` : ""}${cut}`;
}
