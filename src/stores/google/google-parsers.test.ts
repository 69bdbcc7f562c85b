// Google Play's parsers over odd and damaged answers.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { corruptJson, truncateText } from "../../../test/support/corrupt-json.ts";
import { parseBatch } from "./batch.ts";
import { parseDetailsPage } from "./details-page.ts";
import { parseReviewsPayload } from "./reviews-payload.ts";

describe("framings", () => {
  const inner = JSON.stringify([[["id-1", null, 5]], [null, "t"]]);
  const frame = ["wrb.fr", "oCPfdb", inner, null, null, null, "generic"];
  const text = JSON.stringify(frame);

  test.each([
    ["one array", `)]}'\n\n[${text},["di",12]]`],
    ["an array over lines", `)]}'\n\n[${text}\n,["di",12]\n,["af.httprm",12]\n]`],
    ["chunks", `)]}'\n\n${text.length}\n[${text}]\n25\n[["e",4,null,null,131]]\n`],
    ["chunks over lines", `)]}'\r\n\r\n99\r\n[${text}\r\n]\r\n25\r\n[["e",4]\n,["di",1]]\r\n`],
    ["chunks without lengths", `)]}'\n[["di",12]]\n[${text}]`],
    ["an empty frame first", `)]}'\n\n[["wrb.fr","oCPfdb",null],${text}]`],
  ])("%s is read", (_, body) => {
    expect(parseBatch(body, "oCPfdb")).toEqual({ kind: "payload", payload: JSON.parse(inner) });
    expect(parseBatch(body, "UsvDTd").kind).toBe("missing");
  });

  test.each([
    [[[], [null, "t"]], "t"],
    [[[], null, [null, "t"]], "t"],
    [[[], [null, "t"], ["x", "other"]], "t"],
    [[[], null, ["x", "other"]], null],
    [[[], [null, ""]], null],
    [[[]], null],
  ])("the token of %j is %j", (payload, token) => {
    expect(parseReviewsPayload(payload, "en")?.token).toBe(token);
  });
});

describe("details", () => {
  const fieldsOf = (name: string, packageName: string | null, total: number): unknown[] => {
    const fields = new Array<unknown>(120).fill(null);
    fields[0] = [name];
    fields[51] = [["4.0", 4], [null], ["", total]];
    if (packageName !== null) fields[77] = [packageName];
    return fields;
  };
  const read = (...blocks: unknown[][]) =>
    parseDetailsPage(
      pageOf({ "ds:5": [[], [null, null, blocks[0]]], "ds:9": [[], [null, null, blocks[1]]] }),
      "app.sample",
    );

  test("the block of the app itself is taken, wherever it stands", () => {
    const own = fieldsOf("Own", "app.sample", 8);
    const other = fieldsOf("Other", "app.other", 9);
    expect([read(own, other)?.name, read(other, own)?.name]).toEqual(["Own", "Own"]);
  });

  test("a call under another name is found by its shape", () => {
    const own = [[], [null, null, fieldsOf("Own", "app.sample", 8)]];
    const html = pageOf({ "ds:5": own }).replaceAll("Ws7gDc", "Renamed");
    expect(parseDetailsPage(html, "app.sample")?.name).toBe("Own");
    const older = html.replaceAll(", sideChannel: {}", "").replaceAll("key: 'ds", "key:'ds");
    expect(parseDetailsPage(older, "app.sample")?.name).toBe("Own");
  });

  test.each([
    ["its name", { name: null, icon: "https://images.example/i.png", genre: "Tools" }],
    ["its icon", { name: "Own", icon: null, genre: "Tools" }],
    ["every fact", { name: "Own", icon: "https://images.example/i.png", genre: null }],
  ])("a page without ratings that lacks %s does not say that there are none", (_, page) => {
    const fields = fieldsOf("", "app.sample", 0);
    fields[0] = [page.name];
    fields[51] = null;
    fields[79] = [[[page.genre]]];
    fields[95] = [[null, null, null, [null, null, page.icon]]];
    expect(read(fields, [])?.ratings ?? null).toBeNull();
    fields[0] = ["Own"];
    fields[79] = [[["Tools"]]];
    fields[95] = [[null, null, null, [null, null, "https://images.example/i.png"]]];
    expect(read(fields, [])?.ratings?.total).toBe(0);
  });

  test("a block without a package name will do, that of another app will not", () => {
    expect(read(fieldsOf("Nameless", null, 8), [])?.ratings?.total).toBe(8);
    expect(read(fieldsOf("Other", "app.other", 9), [])).toBeNull();
  });
});

describe("damaged answers", () => {
  const review = (index: number) => [
    `00000000-0000-4000-8000-00000000000${index}`,
    ["reader", null],
    4,
    null,
    "Works well.",
    [1_783_346_124, 77_000_000],
    3,
    ["Makers", "Thank you.", [1_783_346_000, 0]],
    null,
    null,
    "1.2",
  ];
  const payload = [[review(1), review(2), review(3)], null, [null, "token"]];

  test("nanoseconds are a number, not digits after a point", () => {
    const [first] = parseReviewsPayload(payload, "de")?.reviews ?? [];
    expect(first?.date?.toISOString()).toBe("2026-07-06T13:55:24.077Z");
  });

  test("short arrays, null words and null versions are reviews", () => {
    const short = [[["id-1", null, 1]], null];
    expect(parseReviewsPayload(short, "pt-BR")?.reviews).toEqual([
      {
        storeReviewId: "id-1",
        author: "",
        rating: 1,
        title: null,
        text: "",
        version: "",
        country: null,
        languageHint: "pt",
        date: null,
        votes: null,
        reply: null,
      },
    ]);
  });

  test("more votes than any table takes are none", () => {
    const voted = [[["id-1", null, 1, null, "Fine", null, 9e12]], null];
    expect(parseReviewsPayload(voted, "en")?.reviews).toMatchObject([{ votes: null }]);
  });

  test("any injury gives reviews that were there, or nothing", () => {
    fc.assert(
      fc.property(corruptJson(payload), (hurt) => {
        for (const { rating, date } of parseReviewsPayload(hurt, "de")?.reviews ?? []) {
          expect([1, 2, 3, 4, 5]).toContain(rating);
          expect(date === null || !Number.isNaN(date.getTime())).toBe(true);
        }
      }),
      { numRuns: 500 },
    );
  });

  test("a framing that is cut off or injured never throws and never invents a payload", () => {
    const frames = [["wrb.fr", "oCPfdb", JSON.stringify(payload), null, null, null, "generic"]];
    const text = `)]}'\n\n${JSON.stringify(frames)}`;
    fc.assert(
      fc.property(truncateText(text), (cut) => {
        expect(["malformed", "missing"]).toContain(parseBatch(cut, "oCPfdb").kind);
      }),
    );
    fc.assert(
      fc.property(corruptJson(frames), (hurt) => {
        const batch = parseBatch(JSON.stringify(hurt), "oCPfdb");
        if (batch.kind === "payload" && batch.payload !== null) {
          expect(parseReviewsPayload(batch.payload, "de")).toEqual(
            parseReviewsPayload(payload, "de"),
          );
        }
      }),
    );
  });

  test("a throttled gateway is distinguished from a review that names it", () => {
    const named = [
      ["wrb.fr", "oCPfdb", JSON.stringify([[["a", null, 5, null, "PlayGatewayError"]]])],
    ];
    expect(parseBatch(JSON.stringify(named), "oCPfdb").kind).toBe("payload");
    const refused = '[["wrb.fr","oCPfdb",null,null,null,[13,null,[["x.PlayGatewayError"]]]]]';
    expect(parseBatch(refused, "oCPfdb").kind).toBe("throttled");
  });

  test("injured details give a sound reading or none", () => {
    const details = new Array<unknown>(120).fill(null);
    details[0] = ["Sample"];
    details[51] = [
      ["4.0", 4],
      [null, ["1", 1], ["1", 1], ["1", 1], ["1", 1], ["4", 4]],
      ["8", 8],
    ];
    details[77] = ["app.sample"];
    fc.assert(
      fc.property(corruptJson(details), (hurt) => {
        const html = pageOf({ "ds:5": [[], [null, null, hurt]] });
        const ratings = parseDetailsPage(html, "app.sample")?.ratings ?? null;
        if (ratings === null) return;
        expect(ratings.total).toBeGreaterThanOrEqual(0);
        expect(ratings.average).toBeLessThanOrEqual(5);
        expect(ratings.average).toBeGreaterThanOrEqual(ratings.total === 0 ? 0 : 1);
      }),
    );
  });
});

/** A page with these blocks under moved numbers, so that nothing rests on them. */
function pageOf(blocks: Record<string, unknown>): string {
  const known: [string, string][] = [
    ["ds:5", "Ws7gDc"],
    ["ds:9", "Ws7gDc"],
    ["ds:10", "oCPfdb"],
  ];
  const moved = known
    .filter(([key]) => blocks[key] !== undefined)
    .map(([key, rpcId], index) => ({ data: blocks[key], rpcId, key: `ds:${20 - index}` }));
  const services = moved.map(({ key, rpcId }) => `'${key}' : {id:'${rpcId}',request:[]}`).reverse();
  const callbacks = moved.map(
    ({ key, data }) =>
      `<script>AF_initDataCallback({key: '${key}', hash: '1', data:${JSON.stringify(data)}, sideChannel: {}});</script>`,
  );
  return `<script>var AF_dataServiceRequests = {${services}};</script>${callbacks.join("")}`;
}
