// The Code node of starpost.json: lets through what the channel has signed, and stops everything else.
// n8n needs NODE_FUNCTION_ALLOW_BUILTIN=crypto; STARPOST_SECRET is the channel's secret, whsec_….
const { createHmac, timingSafeEqual } = require("crypto");

const { headers } = $input.first().json;
const body = await this.helpers.getBinaryDataBuffer(0, "data");
const expected = `sha256=${createHmac("sha256", $env.STARPOST_SECRET).update(body).digest("hex")}`;
const received = headers["x-service-signature"] ?? "";
if (
  received.length !== expected.length ||
  !timingSafeEqual(Buffer.from(received), Buffer.from(expected))
) {
  throw new Error("the signature is missing or wrong");
}
return [{ json: { ...JSON.parse(body.toString("utf8")), delivery: headers["x-service-delivery"] } }];
