// A file of reviews that arrives at a door: the dashboard's and the write API's answers are the command's, with the same limits.
import http from "node:http";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type DoorsWorld, openDoorsWorld } from "../../../test/support/doors-world.ts";
import { anApp } from "../../../test/support/factories.ts";
import { waitFor } from "../../../test/support/wait-for.ts";
import type { App } from "../../domain/feed/listing.ts";
import { type ExportedReview, exportReviews } from "../exports/export-reviews.ts";
import { importUpload, takeSlot } from "./import-upload.ts";

let world: DoorsWorld;
let app: App;
beforeAll(async () => {
  world = await openDoorsWorld();
});
beforeEach(async () => {
  await world.renew();
  app = await newApp();
});
afterAll(() => world.close());

const newApp = (workspaceId = world.workspaceId) =>
  anApp(world.database, { workspaceId, store: "googleplay", isPrivate: true });

type Query = Record<string, string>;
type Lines = { status: number; counts: number[]; result: Record<string, unknown>; text: string };

async function atDashboard(
  file: NonNullable<RequestInit["body"]>,
  {
    query = {},
    role = "member" as const,
    to = app,
  }: { query?: Query; role?: "member"; to?: App } = {},
): Promise<Lines> {
  const path = `/workspaces/${world.workspaceId}/apps/${to.id}/import?${new URLSearchParams(query)}`;
  const { status, text } = await world.member(role).request(path, { method: "POST", file });
  if (status !== 200) return { status, counts: [], result: JSON.parse(text), text };
  const lines = text
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  const counts = lines.slice(0, -1).map(({ rowCount }) => rowCount);
  return { status, counts, result: lines.at(-1)?.result, text };
}

const atApi = (file: string, query: Query = {}, to = app) =>
  world.api("POST", `/apps/${to.id}/import-reviews?${new URLSearchParams(query)}`, { file });

async function exported(of = app): Promise<ExportedReview[]> {
  const reviews: ExportedReview[] = [];
  const query = { appId: of.id, workspaceId: null };
  for await (const batch of exportReviews(world.database, query)) reviews.push(...batch);
  return reviews;
}

function aFile(rowCount: number): string {
  const rows = Array.from({ length: rowCount }, (_, at) => {
    const day = String((at % 28) + 1).padStart(2, "0");
    return `r${at},${(at % 5) + 1},2026-10-${day},Words of row ${at}`;
  });
  return `id,rating,date,text\n${rows.join("\n")}\n`;
}

test("the two doors read a file alike, report its progress, and the same file changes nothing", async () => {
  const file = `${aFile(2_500)}bad,9,2026-10-01,Nine stars\n`;
  const query = { name: "reviews.csv" };
  const page = await atDashboard(file, { query });
  expect(page).toMatchObject({ status: 200, counts: [1_000, 2_000, 2_501] });
  expect(page.result).toMatchObject({ inserted: 2_500, rejectedCount: 1, queued: 0 });
  expect(page.result["rejected"]).toMatchObject([{ line: 2_502 }]);
  const other = await newApp();
  const { status, json } = await atApi(file, query, other);
  expect([status, json]).toEqual([200, page.result]);
  const withoutIds = (reviews: ExportedReview[]) => reviews.map(({ id: _, ...review }) => review);
  const [one, another] = [withoutIds(await exported()), withoutIds(await exported(other))];
  expect(one).toHaveLength(2_500);
  expect(new Map(one.map((review) => [review.storeId, review.text]))).toEqual(
    new Map(another.map((review) => [review.storeId, review.text])),
  );
  for (const again of [
    (await atDashboard(file, { query })).result,
    (await atApi(file, query)).json,
  ])
    expect(again).toMatchObject({ inserted: 0, updated: 0, unchanged: 2_500, queued: 0 });
});

test("a dry run shows how the file is read and saves nothing", async () => {
  const { result } = await atDashboard(aFile(3), { query: { dryRun: "true" } });
  expect(result).toMatchObject({ inserted: 3, reading: { fields: { rating: ["rating"] } } });
  expect(result["samples"]).toHaveLength(3);
  const { json } = await atApi(aFile(3), { dryRun: "true" });
  const { samples: _, ...shown } = result;
  expect(json).toEqual({ ...shown, isDryRun: true });
  expect(await exported()).toEqual([]);
});

const banks = `review_id,score,at,content,bank_name
1,5,2026-10-13,Pays quickly,Tide Bank
2,1,2026-10-13,Closes at the start,Harbour Bank
3,4,2026-10-12,Fine,Tide Bank
4,3,2026-10-11,Slow,Tide Bank
`;

test("questions stop an import until the query answers them", async () => {
  const open = await atDashboard(banks);
  const questions = [{ kind: "app", column: "bank_name", values: ["Tide Bank", "Harbour Bank"] }];
  const reading = { questions: [...questions, { kind: "ids", column: "review_id" }] };
  expect(open.result).toMatchObject({ inserted: 0, reading, stopped: {} });
  const answers = { only: "bank_name=Tide Bank", makeIds: "true" };
  const { result } = await atDashboard(banks, { query: answers });
  expect(result).toMatchObject({ inserted: 3, skipped: 1, reading: { madeIds: 3 } });
  expect((await exported()).map(({ text }) => text).toSorted()).toEqual([
    "Fine",
    "Pays quickly",
    "Slow",
  ]);
});

test("columns that are missing are named with those of the file, and may be chosen", async () => {
  const file = "Ticket,Given,Posted on\nt1,4,2026-10-13\n";
  const { result } = await atDashboard(file, { query: { name: "a.csv", dryRun: "true" } });
  const columns = ["Ticket", "Given", "Posted on"];
  expect(result["missing"]).toEqual({ fields: ["id", "rating", "date"], columns });
  const refused = await atDashboard(file, { query: { name: "a.csv" } });
  expect([refused.status, refused.result["code"]]).toEqual([400, "invalid_input"]);
  const chosen = { columns: "id=Ticket,rating=Given,date=Posted on" };
  expect((await atDashboard(file, { query: chosen })).result).toMatchObject({ inserted: 1 });
});

describe("a file is refused", () => {
  test("that is too large, by what it says and by what it sends", async () => {
    const { bytesMax } = importUpload;
    const declared = await sendRaw({ "content-length": String(bytesMax + 1) }, "id,rating,date\n");
    expect(declared).toBe(413);
    expect(await exported()).toEqual([]);
  });

  test("as a form of another site could send it, and from another site", async () => {
    const member = world.member("member");
    const path = `/workspaces/${world.workspaceId}/apps/${app.id}/import`;
    const send = (headers: Record<string, string>) =>
      member.request(path, { method: "POST", file: aFile(1), headers });
    const form = await send({ "content-type": "text/plain" });
    expect([form.status, form.json.code]).toEqual([400, "invalid_input"]);
    const foreign = await send({ origin: "https://evil.example" });
    expect([foreign.status, foreign.json.code]).toEqual([403, "forbidden"]);
    expect(await exported()).toEqual([]);
  });

  test("of an app of another workspace, whatever the query says", async () => {
    const foreign = await newApp(world.foreignWorkspaceId);
    expect((await atDashboard(aFile(1), { to: foreign })).status).toBe(404);
    expect((await atApi(aFile(1), {}, foreign)).status).toBe(404);
    expect(await exported(foreign)).toEqual([]);
  });

  test("while another one of the workspace is imported", async () => {
    const second = await takeSlot(world.workspaceId, () => atDashboard(aFile(1)));
    expect([second.status, second.result["code"]]).toEqual([429, "rate_limited"]);
    expect(await exported()).toEqual([]);
    expect((await atDashboard(aFile(1))).status).toBe(200);
  });

  test("as an archive, and its client gets the answer although it was still sending", async () => {
    const bytes = Buffer.concat([Buffer.from("1f8b", "hex"), Buffer.alloc(8_000_000)]);
    const { status, result } = await atDashboard(bytes);
    expect([status, result["code"]]).toEqual([400, "invalid_input"]);
    expect(String(result["detail"])).toContain("gunzip");
  });
});

test("a connection that is cut while it sends saves nothing, and the file can be sent again", async () => {
  const gate = heldFile();
  const controller = new AbortController();
  const cookie = world.member("member").cookie();
  const url = `${world.url}/console/api/workspaces/${world.workspaceId}/apps/${app.id}/import`;
  const sent = fetch(url, {
    method: "POST",
    headers: { cookie, origin: world.url, "content-type": "text/csv" },
    body: gate.stream,
    duplex: "half",
    signal: controller.signal,
  } as RequestInit);
  await gate.isRead;
  controller.abort();
  await expect(sent).rejects.toThrow();
  const isFree = async () => (await atDashboard(aFile(1))).status === 200;
  await waitFor(isFree, { withinMs: 5_000, what: "the end of the import that was cut" });
  expect(await exported()).toHaveLength(1);
});

test("a connection that is cut while rows are saved loses none of them, and the file again adds the rest", async () => {
  const rowCount = 12_000;
  const controller = new AbortController();
  const cookie = world.member("member").cookie();
  const url = `${world.url}/console/api/workspaces/${world.workspaceId}/apps/${app.id}/import`;
  const { body } = await fetch(url, {
    method: "POST",
    headers: { cookie, origin: world.url, "content-type": "text/csv" },
    body: aFile(rowCount),
    signal: controller.signal,
  });
  const first = await body?.getReader().read();
  expect(String(Buffer.from(first?.value ?? []))).toContain("rowCount");
  controller.abort();
  const send = async () => {
    const sent = await atDashboard(aFile(rowCount));
    return sent.status === 200 && sent.result;
  };
  const result = await waitFor(send, { withinMs: 20_000, what: "the end of the import" });
  expect(Number(result["unchanged"])).toBeGreaterThan(0);
  expect(Number(result["unchanged"]) + Number(result["inserted"])).toBe(rowCount);
  expect(await exported()).toHaveLength(rowCount);
});

/** A file whose second row waits. */
function heldFile() {
  let end = (): void => {};
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  let read = (): void => {};
  const isRead = new Promise<void>((resolve) => {
    read = resolve;
  });
  async function* chunks(): AsyncGenerator<Uint8Array> {
    yield Buffer.from("id,rating,date\nheld,4,2026-10-13\n");
    read();
    await ended;
  }
  return { stream: ReadableStream.from(chunks()), isRead, end };
}

/** The status of the answer to a head that promises more than it sends. */
function sendRaw(headers: Record<string, string>, text: string): Promise<number> {
  const cookie = world.member("member").cookie();
  const url = `${world.url}/console/api/workspaces/${world.workspaceId}/apps/${app.id}/import`;
  const all = { cookie, origin: world.url, "content-type": "text/csv", ...headers };
  return new Promise((resolve, reject) => {
    const request = http.request(url, { method: "POST", headers: all }, (response) => {
      resolve(response.statusCode ?? 0);
      request.destroy();
    });
    request.on("error", reject);
    request.write(text);
  });
}
