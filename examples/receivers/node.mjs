// Node 18 or newer, without packages: node node.mjs
import { createHmac, timingSafeEqual } from "node:crypto";
import { createServer } from "node:http";

const secret = process.env.STARPOST_SECRET;

function isFromStarpost(body, headers) {
  const [id, time] = [headers["webhook-id"], headers["webhook-timestamp"]];
  const key = Buffer.from(secret.replace(/^whsec_/, ""), "base64");
  const mac = createHmac("sha256", key).update(`${id}.${time}.`).update(body).digest("base64");
  const expected = Buffer.from(`v1,${mac}`);
  // There are several while a secret is being replaced.
  const isSigned = (headers["webhook-signature"] ?? "").split(" ").some((text) => {
    const received = Buffer.from(text);
    return received.length === expected.length && timingSafeEqual(received, expected);
  });
  // An older request may be a recording that was sent again.
  return isSigned && Math.abs(Date.now() / 1_000 - Number(time)) <= 300;
}

createServer(async (request, response) => {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  const body = Buffer.concat(chunks);
  if (!isFromStarpost(body, request.headers)) {
    response.writeHead(401).end();
    return;
  }
  const { event, review } = JSON.parse(body);
  console.log(event, review?.rating, review?.text);
  response.writeHead(204).end();
}).listen(Number(process.env.PORT ?? 3000), "127.0.0.1");
