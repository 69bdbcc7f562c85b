// Node 18 or newer, without packages: node node.mjs
import { createHmac, timingSafeEqual } from "node:crypto";
import { createServer } from "node:http";

const secret = process.env.STARPOST_SECRET;

function isFromStarpost(body, header) {
  const expected = Buffer.from(`sha256=${createHmac("sha256", secret).update(body).digest("hex")}`);
  const received = Buffer.from(header ?? "");
  return received.length === expected.length && timingSafeEqual(received, expected);
}

createServer(async (request, response) => {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  const body = Buffer.concat(chunks);
  if (!isFromStarpost(body, request.headers["x-service-signature"])) {
    response.writeHead(401).end();
    return;
  }
  const { event, review } = JSON.parse(body);
  console.log(event, review?.rating, review?.text);
  response.writeHead(204).end();
}).listen(Number(process.env.PORT ?? 3000), "127.0.0.1");
