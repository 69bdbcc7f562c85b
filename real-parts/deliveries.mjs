// The receivers of deliveries and events, as their makers publish them.
import fs from "node:fs/promises";
import path from "node:path";
import { openEndpoint, waitFor } from "./service.mjs";
import {
  assert,
  lastLineOf,
  machine,
  npm,
  openFolder,
  python,
  root,
  run,
  Unavailable,
  vitest,
} from "./tools.mjs";

/** One delivery before, during and after a rotation of the secret, recorded once. */
let rotation = null;
function recordRotation(world) {
  rotation ??= (async () => {
    const endpoint = await openEndpoint();
    const call = async (method, target, body) => {
      const response = await fetch(`${world.url}/api/v1${target}`, {
        method,
        headers: { authorization: `Bearer ${world.manageKey}`, "content-type": "application/json" },
        ...(body && { body: JSON.stringify(body) }),
      });
      if (!response.ok) throw new Error(`${method} ${target}: ${await response.text()}`);
      return response.json();
    };
    const made = await call("POST", "/channels", { name: "Rotation", url: endpoint.url });
    const test = async () => {
      const before = endpoint.requests.length;
      await call("POST", `/channels/${made.channel.id}/test`);
      await waitFor(async () => endpoint.requests.length > before);
      const { headers, body } = endpoint.requests.at(-1);
      return { headers, body: body.toString("base64") };
    };
    const before = await test();
    const { secret } = await call("POST", `/channels/${made.channel.id}/rotate-secret`);
    const during = await test();
    await endpoint.close();
    return { oldSecret: made.secret, newSecret: secret, before, during };
  })();
  return rotation;
}

export const parts = [
  {
    name: "standardwebhooks and @starpost/client, npm",
    async run(world) {
      const tools = await npm("standardwebhooks", ["standardwebhooks", "svix"]);
      const recorded = await recordRotation(world);
      await tools.write("recorded.json", JSON.stringify(recorded));
      await tools.write(
        "verify.mjs",
        `
import fs from "node:fs";
import { Webhook } from "standardwebhooks";
import { Webhook as SvixWebhook } from "svix";
import { verifyWebhook } from ${JSON.stringify(path.join(root, "dist/sdk/src/index.js"))};
const { oldSecret, newSecret, before, during } = JSON.parse(fs.readFileSync("recorded.json"));
const cases = [[before, oldSecret], [during, oldSecret], [during, newSecret]];
for (const [{ headers, body }, secret] of cases) {
  const bytes = Buffer.from(body, "base64");
  new Webhook(secret).verify(bytes, headers);
  new SvixWebhook(secret).verify(bytes, headers);
  await verifyWebhook({ body: bytes, headers, secret });
  for (const verify of [() => new Webhook(secret).verify(Buffer.concat([bytes, Buffer.from(" ")]), headers), () => verifyWebhook({ body: Buffer.concat([bytes, Buffer.from(" ")]), headers, secret })]) {
    let isRefused = false;
    try { await verify(); } catch { isRefused = true; }
    if (!isRefused) throw new Error("a changed body was accepted");
  }
}
`,
      );
      await tools.run("node", ["verify.mjs"]);
      return tools.version("standardwebhooks");
    },
  },
  {
    name: "standardwebhooks and starpost-client, PyPI",
    async run(world) {
      const tools = await python("standardwebhooks", [
        "standardwebhooks",
        "svix",
        path.join(root, "sdk/python"),
      ]);
      const folder = await openFolder("standardwebhooks-python");
      await fs.writeFile(
        path.join(folder, "recorded.json"),
        JSON.stringify(await recordRotation(world)),
      );
      const code = `
import base64, json
from standardwebhooks import Webhook
from svix.webhooks import Webhook as SvixWebhook
from starpost_client import verify_webhook
recorded = json.load(open("recorded.json"))
cases = [("before", "oldSecret"), ("during", "oldSecret"), ("during", "newSecret")]
for name, secret in cases:
    headers, body = recorded[name]["headers"], base64.b64decode(recorded[name]["body"])
    Webhook(recorded[secret]).verify(body, headers)
    SvixWebhook(recorded[secret]).verify(body, headers)
    verify_webhook(body=body, headers=headers, secret=recorded[secret])
    try:
        verify_webhook(body=body + b" ", headers=headers, secret=recorded[secret])
    except Exception:
        continue
    raise SystemExit("a changed body was accepted")
`;
      await tools.run("python", ["-c", code], { cwd: folder });
      return tools.version("standardwebhooks");
    },
  },
  {
    name: "n8n, the package built and linted with its types",
    async run() {
      const folder = await openFolder("n8n");
      await fs.cp(path.join(root, "packaging/n8n"), folder, { recursive: true });
      try {
        await run(
          "npm",
          ["install", "--no-audit", "--no-fund", "--loglevel=error", "--ignore-scripts"],
          { cwd: folder },
        );
      } catch (error) {
        throw new Unavailable(lastLineOf(error), { cause: error });
      }
      await run("npm", ["run", "build"], { cwd: folder });
      await run("npm", ["run", "lint"], { cwd: folder });
      const manifest = JSON.parse(
        await fs.readFile(path.join(folder, "node_modules/n8n-workflow/package.json"), "utf8"),
      );
      for (const file of JSON.parse(await fs.readFile(path.join(folder, "package.json"), "utf8"))
        .n8n.nodes)
        await fs.access(path.join(folder, file));
      return manifest.version;
    },
  },
  {
    name: "receivers of the guide: Node, Express, Flask, Go, PHP, Sinatra",
    async run() {
      const tools = await python("flask", ["flask"]);
      const PATH = `${path.dirname(tools.bin("python"))}:${process.env.PATH}`;
      const files = ["test/product/receivers.test.ts", "test/sdk-handlers.test.ts"];
      return { missing: await vitest(files, { PATH, TEST_GO: "1" }) };
    },
  },
  {
    name: "fastlane's uploader for the lane of the release gate",
    async run() {
      await machine("ruby", ["--version"], "Debian: ruby");
      // The gem where it can be had, or a checkout of fastlane.
      const uploader = process.env["SUPPLY_UPLOADER"] ?? (await fetchUploader());
      const missing = await vitest(["test/product/release-verdict-example.test.ts"], {
        SUPPLY_UPLOADER: uploader,
      });
      const about = path.join(uploader, "../../../../fastlane/lib/fastlane/version.rb");
      const version = /VERSION = '([\d.]+)'/.exec(await fs.readFile(about, "utf8"))?.[1];
      return { version, missing };
    },
  },
  {
    name: "feedparser, a feed of reviews with hostile texts",
    async run() {
      const tools = await python("feedparser", ["feedparser"]);
      const missing = await vitest(["src/features/sharing/view-feed.test.ts"], {
        FEEDPARSER_PYTHON: tools.bin("python"),
      });
      return { version: await tools.version("feedparser"), missing };
    },
  },
];

async function fetchUploader() {
  const folder = await openFolder("fastlane");
  try {
    await run("gem", ["fetch", "fastlane"], { cwd: folder });
    const [gem] = await fs.readdir(folder);
    if (gem === undefined) throw new Error("the gem was not found");
    await run("gem", ["unpack", gem], { cwd: folder });
  } catch (error) {
    const reason = `${lastLineOf(error)} (or name the file of a checkout in SUPPLY_UPLOADER)`;
    throw new Unavailable(reason, { cause: error });
  }
  const [unpacked] = (await fs.readdir(folder)).filter((name) => !name.endsWith(".gem"));
  const file = path.join(folder, unpacked, "supply/lib/supply/uploader.rb");
  assert(
    await fs.access(file).then(
      () => true,
      () => false,
    ),
    "the gem has no uploader",
  );
  return file;
}
