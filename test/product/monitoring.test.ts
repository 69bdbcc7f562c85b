// The alert rules and the Grafana dashboards in packaging/monitoring/ read figures that exist, and Prometheus
// understands them.
import { spawnSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { z } from "zod";
import { startTestService } from "../support/service.ts";

const folder = path.resolve(import.meta.dirname, "../../packaging/monitoring");
const alerts = path.join(folder, "alerts.yaml");
const dashboardSchema = z.object({
  panels: z.array(z.object({ targets: z.array(z.object({ expr: z.string() })) })),
});

function readJson(name: string): unknown {
  return JSON.parse(fs.readFileSync(path.join(folder, name), "utf8"));
}

function expressions(): string[] {
  const rules = fs.readFileSync(alerts, "utf8").matchAll(/^\s+expr: (.*)$/gm);
  const targets = ["grafana-dashboard.json", "grafana-apps.json"].flatMap((name) => {
    const { panels } = dashboardSchema.parse(readJson(name));
    return panels.flatMap((panel) => panel.targets.map(({ expr }) => expr));
  });
  return [...[...rules].map(([, expression = ""]) => expression), ...targets];
}

test("every figure of rules and dashboard is served, and the rules cover each backlog", async () => {
  const service = await startTestService({
    storesUrl: "http://127.0.0.1:9",
    env: { METRICS_PORT: "0", METRICS_APPS: "true", ROLES: "api" },
  });
  const served = await (await fetch(String(service.metricsUrl))).text();
  await service.close();
  const names = new Set(
    expressions().flatMap((one) => one.match(/\b(starpost|nodejs|process)_\w+/g) ?? []),
  );
  expect(names.size).toBeGreaterThan(12);
  const missing = [...names].filter((name) => {
    const plain = name.replace(/_(bucket|sum|count)$/, "");
    return !served.includes(`# TYPE ${plain} `);
  });
  expect(missing).toEqual([]);
});

const hasPromtool = spawnSync("promtool", ["--version"]).status === 0;
// biome-ignore lint/suspicious/noConsole: developers who run the tests should know.
if (!hasPromtool) console.warn("no promtool (Debian's package prometheus): its check is skipped");

test.skipIf(!hasPromtool)("promtool accepts the rules and the dashboard's expressions", () => {
  const rules = expressions().map((expression, index) => ({
    record: `starpost:check_${index}`,
    expr: expression.replaceAll(/\$\{\w+\}/g, "x"),
  }));
  const copy = path.join(fs.mkdtempSync("/tmp/starpost-rules-"), "rules.yaml");
  fs.writeFileSync(copy, JSON.stringify({ groups: [{ name: "check", rules }] }));
  for (const file of [alerts, copy]) {
    const { status, stdout, stderr } = spawnSync("promtool", ["check", "rules", file], {
      encoding: "utf8",
    });
    expect({ status, text: `${stdout}${stderr}` }).toMatchObject({ status: 0 });
  }
  fs.rmSync(path.dirname(copy), { recursive: true });
});
