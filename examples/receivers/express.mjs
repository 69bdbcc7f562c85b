// Express 4 or 5: npm install express, node express.mjs
import { createHmac, timingSafeEqual } from "node:crypto";
import express from "express";

const secret = process.env.STARPOST_SECRET;
const app = express();

// The bytes as they came: before express.json(), or for this path alone.
app.post("/", express.raw({ type: "*/*", limit: "2mb" }), (request, response) => {
  const mac = createHmac("sha256", secret).update(request.body).digest("hex");
  const expected = Buffer.from(`sha256=${mac}`);
  const received = Buffer.from(request.get("x-service-signature") ?? "");
  if (received.length !== expected.length || !timingSafeEqual(received, expected)) {
    response.sendStatus(401);
    return;
  }
  const { event, review } = JSON.parse(request.body);
  console.log(event, review?.rating, review?.text);
  response.sendStatus(204);
});

app.listen(Number(process.env.PORT ?? 3000), "127.0.0.1");
