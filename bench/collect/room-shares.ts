// Where the time of a measure goes: the processor's samples by the room whose code they belong to, and
// the time in which this process waited for the database, the store or the disk.
import { Session } from "node:inspector/promises";

export type Shares = { room: string; percent: number }[];

export async function shareTime<T>(work: () => Promise<T>): Promise<{ value: T; shares: Shares }> {
  const session = new Session();
  session.connect();
  await session.post("Profiler.enable");
  await session.post("Profiler.setSamplingInterval", { interval: 1_000 });
  await session.post("Profiler.start");
  try {
    const value = await work();
    const { profile } = await session.post("Profiler.stop");
    return { value, shares: sumByRoom(profile) };
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

function sumByRoom(profile: Profile): Shares {
  const deps = new Map<number, string>();
  const byId = new Map(profile.nodes.map((node) => [node.id, node]));
  const visit = (id: number, above: string): void => {
    const node = byId.get(id);
    if (!node) return;
    // Packages and the runtime work for whoever called them.
    const room = roomOf(node.callFrame) ?? above;
    deps.set(id, room);
    for (const child of node.children ?? []) visit(child, room);
  };
  const [root] = profile.nodes;
  if (root) visit(root.id, "runtime");
  const times = new Map<string, number>();
  let total = 0;
  profile.samples?.forEach((id, index) => {
    const room = deps.get(id) ?? "runtime";
    const micros = profile.timeDeltas?.[index] ?? 0;
    times.set(room, (times.get(room) ?? 0) + micros);
    total += micros;
  });
  return [...times]
    .map(([room, micros]) => ({ room, percent: Math.round((1_000 * micros) / total) / 10 }))
    .sort((one, other) => other.percent - one.percent);
}

function roomOf({ url, functionName }: { url: string; functionName: string }): string | null {
  if (functionName === "(idle)") return "waiting";
  if (functionName === "(garbage collector)") return "garbage collector";
  if (/node_modules\/pg/.test(url)) return "keep (pg driver)";
  return /\/dist\/src\/([a-z-]+)/.exec(url)?.[1] ?? null;
}
