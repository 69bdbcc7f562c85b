// The time of a measurement by module: samples of the processor by the module of src that they belong to,
// and the time in which this process waited for the database, the store or the disk.
import { Session } from "node:inspector/promises";

export type ModuleShares = { module: string; percent: number }[];

export async function measureTimeByModule<T>(
  work: () => Promise<T>,
): Promise<{ value: T; shares: ModuleShares }> {
  const session = new Session();
  session.connect();
  await session.post("Profiler.enable");
  await session.post("Profiler.setSamplingInterval", { interval: 1_000 });
  await session.post("Profiler.start");
  try {
    const value = await work();
    const { profile } = await session.post("Profiler.stop");
    return { value, shares: sumByModule(profile) };
  } finally {
    session.disconnect();
  }
}

type Profile = {
  nodes: {
    id: number;
    callFrame: { url: string; functionName: string };
    children?: number[] | undefined;
  }[];
  samples?: number[] | undefined;
  timeDeltas?: number[] | undefined;
};

function sumByModule(profile: Profile): ModuleShares {
  const moduleOfNode = new Map<number, string>();
  const byId = new Map(profile.nodes.map((node) => [node.id, node]));
  const visit = (id: number, caller: string): void => {
    const node = byId.get(id);
    if (!node) return;
    // Time in packages and the runtime counts for the module that called them.
    const module = moduleOf(node.callFrame) ?? caller;
    moduleOfNode.set(id, module);
    for (const child of node.children ?? []) visit(child, module);
  };
  const [root] = profile.nodes;
  if (root) visit(root.id, "runtime");
  const times = new Map<string, number>();
  let total = 0;
  profile.samples?.forEach((id, index) => {
    const module = moduleOfNode.get(id) ?? "runtime";
    const micros = profile.timeDeltas?.[index] ?? 0;
    times.set(module, (times.get(module) ?? 0) + micros);
    total += micros;
  });
  return [...times]
    .map(([module, micros]) => ({ module, percent: Math.round((1_000 * micros) / total) / 10 }))
    .sort((one, other) => other.percent - one.percent);
}

function moduleOf({ url, functionName }: { url: string; functionName: string }): string | null {
  if (functionName === "(idle)") return "waiting";
  if (functionName === "(garbage collector)") return "garbage collector";
  if (/node_modules\/pg/.test(url)) return "database (pg driver)";
  return /\/dist\/src\/([a-z-]+)/.exec(url)?.[1] ?? null;
}
