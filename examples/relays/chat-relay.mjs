// A relay to a chat that Starpost has no channel type for: takes its webhooks, checks their signature, and posts
// { "text": … } to TARGET_URL, which Google Chat, Mattermost, Rocket.Chat and many others take.
// Node 18 or newer, without packages: STARPOST_SECRET=whsec_… TARGET_URL=https://… node chat-relay.mjs
import { createHmac, timingSafeEqual } from "node:crypto";
import { createServer } from "node:http";

const { STARPOST_SECRET: secret, TARGET_URL: target, PORT = "3000" } = process.env;
const bodyBytesMax = 1_000_000;
/** Deliveries come at least once: the last ones that were posted, by their id. */
const posted = new Set();

function isFromStarpost(body, headers) {
  const [id, time] = [headers["webhook-id"], headers["webhook-timestamp"]];
  const key = Buffer.from(secret.replace(/^whsec_/, ""), "base64");
  const mac = createHmac("sha256", key).update(`${id}.${time}.`).update(body).digest("base64");
  const expected = Buffer.from(`v1,${mac}`);
  // Several while a secret is replaced.
  const isSigned = (headers["webhook-signature"] ?? "").split(" ").some((text) => {
    const received = Buffer.from(text);
    return received.length === expected.length && timingSafeEqual(received, expected);
  });
  // Older ones may have been recorded and sent again.
  return isSigned && Math.abs(Date.now() / 1_000 - Number(time)) <= 300;
}

/**
 * What strangers wrote shows as it is: an invisible U+2060 behind each character that chats read as a mention, a link, a
 * command or formatting keeps them from doing so.
 */
function neutralize(text) {
  return text.replace(/[<>@#/!*_~`[\]()|&]|:(?=\/)|\.(?=\S)/g, "$&\u2060");
}

function compose({ event, app, review, change, ratingDrop, failing, lines: alert }) {
  if (alert) return neutralize([failing?.name ?? app?.name ?? event, ...alert].join("\n"));
  if (event === "review.rating_drop") {
    const { drop, baselineAvg, currentAvg } = ratingDrop;
    return `${neutralize(app.name)}: the rating fell by ${drop} stars, from ${baselineAvg} to ${currentAvg}`;
  }
  const stars = "★".repeat(review.rating) + "☆".repeat(5 - review.rating);
  const lines = [app.name, change?.headline, review.title, review.text, review.translatedText];
  const text = neutralize(lines.filter(Boolean).join("\n")).slice(0, 4_000);
  return `${stars} ${text.toWellFormed?.() ?? text}`;
}

async function readBody(request) {
  const chunks = [];
  let byteCount = 0;
  for await (const chunk of request) {
    byteCount += chunk.length;
    if (byteCount > bodyBytesMax) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

async function relay(body) {
  const response = await fetch(target, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ text: compose(JSON.parse(body)) }),
    // Shorter than the 10 seconds after which Starpost tries again.
    signal: AbortSignal.timeout(8_000),
  });
  return response.ok;
}

createServer(async (request, response) => {
  const body = await readBody(request);
  if (!body || !isFromStarpost(body, request.headers)) {
    response.writeHead(401).end();
    return;
  }
  const id = request.headers["webhook-id"];
  // What the chat did not take is answered with 503: Starpost keeps it and tries again.
  const isPosted = posted.has(id) || (await relay(body).catch(() => false));
  if (isPosted) posted.add(id);
  const [oldest] = posted;
  if (posted.size > 10_000) posted.delete(oldest);
  response.writeHead(isPosted ? 204 : 503).end();
}).listen(Number(PORT), "127.0.0.1");
