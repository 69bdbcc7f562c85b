// The client library for Python as it is published: its wheel, installed in a clean environment, runs its own tests
// there, against a real service as well. Without Python 3.10 and its module `venv` it is skipped, and says so.
import { execFile, spawnSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createTopic } from "../../src/features/own-topics/operations.ts";
import { createKey } from "../support/acts.ts";
import { anOwner, aReview, saveReviews, saveSnapshots } from "../support/factories.ts";
import { act } from "../support/operations.ts";
import { startTestService, type TestService } from "../support/service.ts";
import { root } from "../support/source-tree.ts";

const run = promisify(execFile);
const source = path.join(root, "sdk/python");
const project = fs.readFileSync(path.join(source, "pyproject.toml"), "utf8");
const version = /^version = "(.*)"$/m.exec(project)?.[1];
const name = "starpost_client";
const needs = "import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 10))";
const hasPython = spawnSync("python3", ["-c", needs]).status === 0;
if (!hasPython)
  process.stderr.write("sdk/python: not tested, python3 (3.10) with venv is missing\n");

describe.skipIf(!hasPython)("the package for Python", () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "starpost-python-"));
  const python = path.join(folder, "venv/bin/python");
  let service: TestService;
  let env: Record<string, string>;
  beforeAll(async () => {
    service = await startTestService({ storesUrl: "http://127.0.0.1:1" });
    const app = await service.addApp({ store: "appstore", externalAppId: "4242" });
    const reviews = Array.from({ length: 5 }, (_, index) => aReview({ rating: (index % 5) + 1 }));
    await saveReviews(service.deps.database, app, reviews);
    await saveSnapshots(service.deps.database, app, [{}]);
    const { workspaceId } = service;
    await anOwner(service.deps.database, workspaceId);
    const topicInput = { workspaceId, name: "hours", phrases: ["open"] };
    const topic = await act(service.deps, createTopic, topicInput);
    const input = { workspaceId, name: "Desk", scope: "manage" };
    const { key } = await createKey({ ...service.deps, actor: "test" }, input);
    env = {
      STARPOST_URL: service.url,
      STARPOST_KEY: service.key,
      STARPOST_MANAGE_KEY: key,
      STARPOST_TOPIC: topic.id,
      STARPOST_APP: app.id,
      WEBHOOK_FIXTURES: path.join(root, "examples/webhook-fixtures.json"),
    };
    // A copy: the build must not write into the checkout, nor the tests find the package beside them.
    fs.cpSync(source, path.join(folder, "source"), { recursive: true });
    await run("python3", ["-m", "venv", path.join(folder, "venv")]);
  });
  afterAll(async () => {
    await service.close();
    fs.rmSync(folder, { recursive: true });
  });

  const pip = (...args: string[]) =>
    run(python, ["-m", "pip", "--disable-pip-version-check", "--no-cache-dir", ...args]);
  /** Without the build backend, which may have to be downloaded, the package is its folder. */
  const install = async (): Promise<boolean> => {
    const backend = `flit_core==${/flit_core==([\d.]+)/.exec(project)?.[1]}`;
    const built = await pip("install", "--quiet", backend).catch(() => null);
    if (built === null) {
      process.stderr.write(`sdk/python: not built, ${backend} can't be installed\n`);
      const { stdout } = await run(python, ["-c", "import site; print(site.getsitepackages()[0])"]);
      fs.cpSync(path.join(source, name), path.join(stdout.trim(), name), { recursive: true });
      return false;
    }
    const offline = ["--no-index", "--no-deps", "--no-build-isolation"];
    // A checkout that is being worked on, and the archive of the sources, build as well.
    await pip("install", ...offline, "--editable", path.join(folder, "source"));
    await pip("uninstall", "--yes", "starpost-client");
    const sdist = "from flit_core.buildapi import build_sdist; build_sdist('..')";
    await run(python, ["-c", sdist], { cwd: path.join(folder, "source") });
    await pip("wheel", ...offline, "-w", folder, path.join(folder, `${name}-${version}.tar.gz`));
    await pip("uninstall", "--yes", "flit_core");
    await pip("install", ...offline, path.join(folder, `${name}-${version}-py3-none-any.whl`));
    return true;
  };

  test("its sources and its wheel are built, and pass its tests where nothing else is installed", async () => {
    const isBuilt = await install();
    const args = ["-W", "error", "-m", "unittest", "discover", "-s", "tests", "-t", "tests"];
    const tests = path.join(folder, "tests");
    fs.cpSync(path.join(source, "tests"), path.join(tests, "tests"), { recursive: true });
    const { stderr } = await run(python, args, { cwd: tests, env });
    expect(stderr).toMatch(/Ran \d\d tests[\s\S]*\nOK\n$/);
    if (!isBuilt) return;
    const { stdout } = await pip("show", "--files", "--verbose", "starpost-client");
    expect(stdout).toContain("starpost_client/py.typed");
    expect(stdout).toContain("Typing :: Typed");
  });

  test("the code of its page is Python, and names what the package has", async () => {
    const page = fs.readFileSync(path.join(source, "README.md"), "utf8");
    const blocks = [...page.matchAll(/^```python\n([\s\S]*?)^```$/gm)].map(([, code = ""]) => code);
    expect(blocks).toHaveLength(4);
    const [read = "", changes = "", work = "", receive = ""] = blocks;
    const { workspaceId, deps } = service;
    const [ann] = await deps.database.listMembers(workspaceId);
    const reading = read.replace("https://reviews.example.com", service.url);
    const program = [
      'saved = []; save = saved.extend; updated_since = "2008-01-01T00:00:00Z"',
      ...[reading, changes, "assert len(saved) == 5 and updated_until > updated_since"],
      `starpost = StarpostClient("${service.url}", os.environ["STARPOST_MANAGE_KEY"])`,
      'reviews = [one["id"] for one in saved]; review = reviews[0]',
      work.replace("ada@example.com", ann?.email ?? ""),
      'assert starpost.get_review_work(review)["isDone"]',
      // Verified above; here its names must exist.
      receive.replace(/^HTTPServer.*$/m, ""),
    ].join("\n");
    const { stdout } = await run(python, ["-c", program], { env });
    expect(stdout).toContain(env["STARPOST_APP"]);
    const methods = [...page.matchAll(/`(\w+)\([^`]*\)`/g)].map(([, name = ""]) => name);
    const check = `from starpost_client import StarpostClient as c; import starpost_client as p
print([n for n in ${JSON.stringify(methods)} if not hasattr(c, n) and not hasattr(p, n)])`;
    expect((await run(python, ["-c", check], { env })).stdout).toBe("[]\n");
  });
});
