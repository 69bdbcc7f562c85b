// Express 4 or 5: npm install express, node express.mjs
import { createHmac, timingSafeEqual } from "node:crypto";
import express from "express";

const secret = process.env.STARPOST_SECRET;
const app = express();

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

// The bytes as they came: before express.json(), or for this path alone.
app.post("/", express.raw({ type: "*/*", limit: "2mb" }), (request, response) => {
  if (!isFromStarpost(request.body, request.headers)) {
    response.sendStatus(401);
    return;
  }
  const { event, review } = JSON.parse(request.body);
  console.log(event, review?.rating, review?.text);
  response.sendStatus(204);
});

app.listen(Number(process.env.PORT ?? 3000), "127.0.0.1");
