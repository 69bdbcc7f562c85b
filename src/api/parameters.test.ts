import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { z } from "zod";
import { AppError } from "../domain/error.ts";
import {
  changesParameters,
  editParameters,
  exportParameters,
  parseParameters,
  ratingHistoryParameters,
  reviewParameters,
  trendParameters,
} from "./parameters.ts";

function faultsOf(query: string): string[] {
  try {
    parseParameters(reviewParameters, query);
    return [];
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    expect(error.code).toBe("invalid_parameter");
    return error.fields.map(({ field }) => field);
  }
}

function messageOf(schema: z.ZodObject, query: string, name: string): string | undefined {
  try {
    parseParameters(schema, query);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return error.fields
      .filter(({ field }) => field === name)
      .map(({ message }) => message)
      .join();
  }
  return undefined;
}

describe("moments", () => {
  test.each([
    ["of this API", "2026-11-21T08:37:00Z", "2026-11-21T08:37:00Z"],
    ["with all decimals", "2026-11-21T08:37:00.123456Z", "2026-11-21T08:37:00.123456Z"],
    ["of isoformat() in Python", "2026-11-21T08:37:00+00:00", "2026-11-21T08:37:00Z"],
    ["of strftime() in Python", "2026-11-21T08:37:00.000000+0000", "2026-11-21T08:37:00.000000Z"],
    ["of Go, here", "2026-11-21T10:37:00.123456789+02:00", "2026-11-21T08:37:00.123456Z"],
    ["of Go, in America", "2026-11-20T21:07:00-03:30", "2026-11-21T00:37:00Z"],
    ["of JavaScript", "2026-11-21T08:37:00.000Z", "2026-11-21T08:37:00.000Z"],
  ])("%s are taken: %s", (_, text, utc) => {
    for (const written of [encodeURIComponent(text), text]) {
      const { updatedSince } = parseParameters(reviewParameters, `updatedSince=${written}`);
      expect(updatedSince).toBe(utc);
    }
  });
});

test("a flag is taken as clients write it", () => {
  for (const text of ["true", "True", "TRUE"])
    expect(parseParameters(reviewParameters, `hasText=${text}`).hasText).toBe(true);
  for (const text of ["1", "yes", "t", ""])
    expect(faultsOf(`hasText=${text}`)).toEqual(["hasText"]);
});

describe("days", () => {
  test("every day of the years 2008 to 2100 is taken, and no other", () => {
    const day = fc.date({
      min: new Date("1990-01-01T00:00:00Z"),
      max: new Date("2120-12-31T00:00:00Z"),
      noInvalidDate: true,
    });
    fc.assert(
      fc.property(day, (moment) => {
        const year = moment.getUTCFullYear();
        const isTaken = year >= 2008 && year <= 2100;
        const text = moment.toISOString().slice(0, 10);
        expect(faultsOf(`from=${text}`)).toEqual(isTaken ? [] : ["from"]);
      }),
    );
  });

  test.each(["2026-02-29", "2026-04-31", "2026-13-01", "2026-00-10", "2026-01-00", "2026-1-1"])(
    "%s is refused",
    (text) => {
      expect(faultsOf(`to=${text}`)).toEqual(["to"]);
    },
  );

  test.each(["20260101", "2026-01-01T00:00:00Z", " 2026-01-01", "today", ""])(
    "%j is refused",
    (text) => {
      expect(faultsOf(`to=${encodeURIComponent(text)}`)).toEqual(["to"]);
    },
  );

  test("a leap day is a day, and one day is a range", () => {
    expect(faultsOf("from=2028-02-29&to=2028-02-29")).toEqual([]);
  });
});

describe("numbers", () => {
  test("only whole numbers of the domain are taken, written plainly", () => {
    fc.assert(
      fc.property(fc.integer({ min: -10, max: 500 }), (number) => {
        expect(faultsOf(`limit=${number}`)).toEqual(number >= 1 && number <= 100 ? [] : ["limit"]);
        expect(faultsOf(`rating=${number}`)).toEqual(number >= 1 && number <= 5 ? [] : ["rating"]);
      }),
    );
  });

  test.each(["05", "+5", "5.0", "5e0", "0x5", "five", "5%20", "", "٥"])("%j is refused", (text) => {
    expect(faultsOf(`rating=${text}`)).toEqual(["rating"]);
    expect(faultsOf(`limit=${text}`)).toEqual(["limit"]);
  });
});

describe("names", () => {
  test("unknown and repeated names are errors, each named once", () => {
    expect(faultsOf("page=1&page=2&limit=1&limit=1&Rating=1&toString=1&__proto__=1")).toEqual([
      "page",
      "limit",
      "Rating",
      "toString",
      "__proto__",
    ]);
  });

  test("a list may be repeated, and any other parameter may not", () => {
    const lists = [
      "app",
      "store",
      "rating",
      "sentiment",
      "topic",
      "country",
      "language",
      "version",
      "reply",
    ];
    for (const [schema, repeatable] of [
      [reviewParameters, [...lists, "include"]],
      [exportParameters, [...lists, "include"]],
      [trendParameters, ["app"]],
      [ratingHistoryParameters, ["region"]],
      [changesParameters, []],
      [editParameters, []],
    ] as const) {
      for (const name of Object.keys(schema.shape)) {
        const message = messageOf(schema, `${name}=a&${name}=b`, name);
        const isRefused = message?.includes("is given more than once") ?? false;
        expect([name, isRefused]).toEqual([name, !repeatable.some((one) => one === name)]);
      }
    }
    const list = (query: string) => parseParameters(reviewParameters, query).rating;
    expect(list("rating=2&rating=1,3&rating=2")).toEqual(list("rating=1,2,3"));
    expect(faultsOf("rating=1&rating=6")).toEqual(["rating"]);
    expect(faultsOf(Array.from({ length: 11 }, (_, at) => `country=c${at}`).join("&"))).toEqual([
      "country",
    ]);
  });

  test("a topic is any text up to 64 characters, however many bytes they take", () => {
    expect(faultsOf(`topic=${encodeURIComponent("🌊".repeat(64))}`)).toEqual([]);
    expect(faultsOf(`topic=${encodeURIComponent("🌊".repeat(65))}`)).toEqual(["topic"]);
  });
});
