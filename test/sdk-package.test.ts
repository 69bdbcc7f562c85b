// The client library as it is published: it builds, every entry of its exports can be imported by plain Node,
// and its Fastify plugin keeps the bytes of a body.
import { execFileSync, spawnSync } from "node:child_process";
import { createHmac } from "node:crypto";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, expect, test } from "vitest";
import {
  createFastifyPlugin,
  type FastifyReplyLike,
  type FastifyRequestLike,
} from "../sdk/src/handlers/fastify.ts";
import { root } from "./support/source-tree.ts";

const folder = fs.mkdtempSync(path.join(os.tmpdir(), "starpost-sdk-"));
afterAll(() => fs.rmSync(folder, { recursive: true }));

test("it builds, and every entry of its exports has code and types", () => {
  const compiler = path.join(root, "node_modules/typescript/bin/tsc");
  const target = path.join(folder, "node_modules/@starpost/client");
  const args = ["-p", path.join(root, "sdk/tsconfig.json"), "--outDir", path.join(target, "dist")];
  execFileSync(process.execPath, [compiler, ...args]);
  fs.copyFileSync(path.join(root, "sdk/package.json"), path.join(target, "package.json"));
  const { exports } = JSON.parse(fs.readFileSync(path.join(target, "package.json"), "utf8")) as {
    exports: Record<string, { types: string; default: string }>;
  };
  for (const { types } of Object.values(exports)) {
    expect([types, fs.existsSync(path.join(target, types))]).toEqual([types, true]);
  }
  const names = Object.keys(exports).map((entry) => path.posix.join("@starpost/client", entry));
  const program = names.map((name) => `await import(${JSON.stringify(name)});`).join("\n");
  const run = spawnSync(process.execPath, ["--input-type=module", "-e", program], {
    cwd: folder,
    encoding: "utf8",
  });
  expect([run.status, run.stderr]).toEqual([0, ""]);
});

type Parser = (
  request: unknown,
  body: Uint8Array,
  done: (error: null, body: Uint8Array) => void,
) => void;
type Handler = (request: FastifyRequestLike, reply: FastifyReplyLike) => unknown;

test("the Fastify plugin verifies the bytes of the body and answers 204 or 401", async () => {
  const secret = "whsec_dGlkZXBvb2w=";
  const events: unknown[] = [];
  const registered: { parser?: Parser; path?: string; handler?: Handler } = {};
  const plugin = createFastifyPlugin({
    path: "/hook",
    secret,
    onEvent: ({ event }) => void events.push(event),
  });
  await plugin({
    removeAllContentTypeParsers: () => {},
    addContentTypeParser: (_type, _options, parser) => {
      registered.parser = parser;
    },
    post: (at, handler) => Object.assign(registered, { path: at, handler }),
  });
  expect(registered.path).toBe("/hook");
  const post = async (text: string, headers: Record<string, string>): Promise<number> => {
    let body: unknown;
    registered.parser?.({}, Buffer.from(text), (_error, bytes) => {
      body = bytes;
    });
    let status = 0;
    const reply: FastifyReplyLike = {
      code(code) {
        status = code;
        return reply;
      },
      send: () => undefined,
    };
    await registered.handler?.({ body, headers }, reply);
    return status;
  };
  const text = '{"event":"review.rating_drop"}';
  const signature = `sha256=${createHmac("sha256", secret).update(text).digest("hex")}`;
  const headers = { "x-service-signature": signature };
  expect(await post(text, headers)).toBe(204);
  expect(await post(`${text} `, headers)).toBe(401);
  expect(events).toEqual([{ event: "review.rating_drop" }]);
});
