// The receivers of examples/receivers, each in its own language: started, and given every fixture. A language
// that is not installed here is skipped by name; Go runs with TEST_GO=1.
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { Webhook } from "standardwebhooks";
import { afterAll, describe, expect, test } from "vitest";
import { verifyWebhook } from "../../sdk/src/webhook.ts";
import { composeHeaders, readSigner } from "../../src/delivery/send/signature.ts";
import { findFreePort } from "../support/free-port.ts";
import { root } from "../support/source-tree.ts";
import { waitFor } from "../support/wait-for.ts";
import { fixtures, replay, secret, sendNow } from "../support/webhook-fixtures.ts";

const folder = path.join(root, "examples/receivers");
const page = fs.readFileSync(path.join(root, "docs/receivers.md"), "utf8");

const receivers = [
  { file: "node.mjs", program: process.execPath, args: ["node.mjs"], needs: null },
  {
    file: "express.mjs",
    program: process.execPath,
    args: ["express.mjs"],
    needs: ["node", "-e", "import('express').catch(() => process.exit(1))"],
  },
  {
    file: "flask_app.py",
    program: "python3",
    args: ["flask_app.py"],
    needs: ["python3", "-c", "import flask"],
  },
  { file: "main.go", program: "go", args: ["run", "main.go"], needs: ["go", "version"] },
  {
    file: "receiver.php",
    program: "php",
    args: ["-S", "127.0.0.1:PORT", "receiver.php"],
    needs: ["php", "--version"],
  },
  {
    file: "receiver.rb",
    program: "ruby",
    args: ["receiver.rb"],
    needs: ["ruby", "-e", "require 'sinatra/base'"],
  },
];

describe("fixtures", () => {
  test.each(fixtures.filter(({ isValid }) => isValid))(
    "$name is signed as the service signs it",
    (one) => {
      const id = one.headers["webhook-id"] ?? "";
      const now = new Date(Number(one.headers["webhook-timestamp"]) * 1_000);
      const event = JSON.parse(one.body).event;
      const delivery = { id, event, body: Buffer.from(one.body), isTest: false };
      const { bodyKey, messageKey } = readSigner(secret);
      const keys = { bodyKey, messageKeys: [messageKey] };
      const list = composeHeaders(delivery, { ...keys, now, version: "1" });
      const entries = list.flatMap((name, index) =>
        index % 2 === 0 ? [[name, list[index + 1]]] : [],
      );
      expect({ ...one.headers, "User-Agent": "Starpost/1" }).toEqual(Object.fromEntries(entries));
    },
  );

  test.each(fixtures)("$name, by the client library", async ({ isValid, body, headers }) => {
    const verified = verifyWebhook({ body, headers, secret, toleranceSeconds: false });
    if (isValid) await expect(verified).resolves.toMatchObject({ event: JSON.parse(body) });
    else await expect(verified).rejects.toThrow();
  });

  test("the library of Standard Webhooks takes the secret as it is shown", () => {
    const webhook = new Webhook(secret);
    for (const { isValid, body, headers } of fixtures) {
      // Its own timestamp would be too old: only the signature is compared.
      const at = new Date(Number(headers["webhook-timestamp"]) * 1_000);
      const signature = webhook.sign(headers["webhook-id"] ?? "", at, body);
      if (isValid) expect(signature).toBe(headers["webhook-signature"]);
    }
  });
});

describe("receivers", () => {
  const children = new Set<ChildProcess>();
  afterAll(() => {
    for (const { pid } of children) {
      // `go run` has a child of its own: the whole group ends.
      if (pid !== undefined) process.kill(-pid, "SIGKILL");
    }
  });

  test.each(receivers)("docs/receivers.md shows $file as it is", ({ file }) => {
    expect(page).toContain(fs.readFileSync(path.join(folder, file), "utf8"));
  });

  for (const { file, program, args, needs } of receivers) {
    // Compiling Go's HTTP server takes a minute of two cores the first time.
    const isCheap = program !== "go" || process.env["TEST_GO"] === "1";
    const isInstalled = isCheap && (needs === null || isRunnable(needs));
    test.skipIf(!isInstalled)(`${file} takes what is signed and refuses the rest`, async () => {
      const port = await findFreePort();
      const child = spawn(
        program,
        args.map((arg) => arg.replace("PORT", String(port))),
        {
          cwd: folder,
          detached: true,
          stdio: "ignore",
          env: {
            ...process.env,
            PORT: String(port),
            STARPOST_SECRET: secret,
            PYTHONDONTWRITEBYTECODE: "1",
          },
        },
      );
      children.add(child);
      const url = `http://127.0.0.1:${port}/`;
      await waitFor(async () => (await fetch(url).catch(() => null)) !== null, {
        withinMs: 50_000,
        what: () => `${file} to listen`,
      });
      const [valid] = fixtures;
      if (!valid) throw new Error("there are no fixtures");
      const { "webhook-signature": _, ...unsigned } = sendNow(valid).headers;
      const refused = [
        { ...replay(valid), name: "an old one with a new time" },
        { ...valid, name: "an old one", isValid: false },
        {
          ...valid,
          name: "one without the signature of its time",
          isValid: false,
          headers: unsigned,
        },
      ];
      for (const one of [...fixtures.map((fixture) => sendNow(fixture)), ...refused]) {
        const { name, isValid, body, headers } = one;
        const { status } = await fetch(url, { method: "POST", body, headers });
        expect([name, status]).toEqual([name, isValid ? 204 : 401]);
      }
    });
  }
});

function isRunnable([program = "", ...args]: readonly string[]): boolean {
  return spawnSync(program, args, { stdio: "ignore", cwd: folder }).status === 0;
}
