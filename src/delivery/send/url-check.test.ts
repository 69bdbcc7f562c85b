import { describe, expect, test } from "vitest";
import { systemClock } from "../../lib/clock.ts";
import { openHostNames } from "./host-names.ts";
import { checkWebhookTarget, checkWebhookUrl, openUrlPolicy } from "./url-check.ts";

const strict = openUrlPolicy({ allowHttp: false, allowedCidrs: [] });
const open = openUrlPolicy({ allowHttp: true, allowedCidrs: ["127.0.0.0/8"] });

describe("a URL that is refused", () => {
  test.each([
    ["", "not a URL"],
    ["hooks.example.com", "not a URL"],
    ["ftp://hooks.example.com/", "https://"],
    ["file:///etc/passwd", "https://"],
    ["javascript:alert(1)", "https://"],
    ["http://hooks.example.com/", "WEBHOOK_ALLOW_HTTP"],
    ["http://127.0.0.1:3000/", "WEBHOOK_ALLOW_HTTP can allow http://; and the address 127.0.0.1"],
    ["https://good@127.0.0.1/", "user name"],
    ["https://a:b@hooks.example.com/", "user name"],
    ["https://127.0.0.1/", "WEBHOOK_ALLOWED_CIDRS"],
    ["https://0x7f.1/", "WEBHOOK_ALLOWED_CIDRS"],
    ["https://0177.0.0.1/", "WEBHOOK_ALLOWED_CIDRS"],
    ["https://2130706433/", "WEBHOOK_ALLOWED_CIDRS"],
    ["https://127.1/", "WEBHOOK_ALLOWED_CIDRS"],
    ["https://127.0.0.1./", "WEBHOOK_ALLOWED_CIDRS"],
    ["https://①②⑦.0.0.1/", "WEBHOOK_ALLOWED_CIDRS"],
    ["https://0.0.0.0/", "WEBHOOK_ALLOWED_CIDRS"],
    ["https://[::]/", "WEBHOOK_ALLOWED_CIDRS"],
    ["https://[::1]/", "WEBHOOK_ALLOWED_CIDRS"],
    ["https://[::ffff:169.254.169.254]/", "WEBHOOK_ALLOWED_CIDRS"],
    ["https://hooks.example.com:25/", "port 25"],
    ["https://hooks.example.com:0/", "port 0"],
    ["https://hooks.example.com:6667/", "port 6667"],
    ["https://[fe80::1%25lo]/", "not a URL"],
    [`https://hooks.example.com/${"x".repeat(2_048)}`, "longer than"],
  ])("%s", (url, words) => {
    const checked = checkWebhookUrl(url, strict);
    expect(checked.kind === "refused" && checked.reason).toContain(words);
  });
});

test("https with a public name or address is fine, and so is what the operator allows", () => {
  expect(checkWebhookUrl("https://hooks.example.com:8443/a?b=c", strict).kind).toBe("ok");
  expect(checkWebhookUrl("https://8.8.8.8/", strict).kind).toBe("ok");
  expect(checkWebhookUrl("http://127.0.0.1:3000/hook", open).kind).toBe("ok");
  expect(checkWebhookUrl("http://10.0.0.1/", open).kind).toBe("refused");
});

describe("a name", () => {
  const check = (url: string, addresses: readonly string[], policy = strict) =>
    checkWebhookTarget(url, {
      policy,
      names: openHostNames({
        clock: systemClock,
        addresses: policy.addresses,
        resolveDns: async () => addresses,
      }),
    });

  test.each([
    ["one private address", ["10.0.0.1"]],
    ["a public and a private address", ["8.8.8.8", "10.0.0.1"]],
    ["a private AAAA record alone", ["fd00::1"]],
  ])("with %s is refused", async (_what, addresses) => {
    expect((await check("https://hooks.example.com/", addresses)).kind).toBe("refused");
  });

  test("with public addresses is fine, and one that can't be resolved yet is not refused", async () => {
    expect((await check("https://hooks.example.com/", ["8.8.8.8"])).kind).toBe("ok");
    expect((await check("https://hooks.example.com/", [])).kind).toBe("ok");
  });

  test.each([
    "https://localhost/",
    "https://localhost./",
    "https://LOCALHOST/",
    "https://a.localhost/",
  ])("%s means this host, whatever DNS says", async (url) => {
    expect((await check(url, ["8.8.8.8"])).kind).toBe("refused");
    expect((await check(url, ["8.8.8.8"], open)).kind).toBe("ok");
  });
});
