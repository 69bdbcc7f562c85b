import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { ReviewFilters } from "../database/read-models/review-pages.ts";
import { sentimentLabels } from "../domain/analysis.ts";
import { createCursors } from "./cursor.ts";

const cursors = createCursors(Buffer.alloc(32, 1));

const position = fc.record({
  dateMicros: fc.bigInt({ min: 1_199_145_600_000_000n, max: 4_133_980_800_000_000n }),
  id: fc.uuid(),
});

const day = fc.constantFrom(null, "2026-11-20", "2026-11-21");
const filters: fc.Arbitrary<ReviewFilters> = fc.record({
  workspaceId: fc.uuid(),
  appId: fc.option(fc.uuid()),
  stores: fc.constantFrom(["appstore"] as const, ["appstore", "googleplay"] as const),
  from: day,
  to: day,
  rating: fc.option(fc.integer({ min: 1, max: 5 })),
  sentiment: fc.option(fc.constantFrom(...sentimentLabels)),
  topic: fc.option(fc.string({ maxLength: 5 })),
});

describe("a cursor", () => {
  test("gives back its position to the microsecond for the same filters", () => {
    fc.assert(
      fc.property(position, filters, (at, of) => {
        const cursor = cursors.encode(at, of);
        expect(cursor).toMatch(/^[\w-]{54}$/);
        expect(cursors.decode(cursor, of)).toEqual(at);
      }),
    );
  });

  test("is refused once a single filter, or the workspace, is another", () => {
    const names = Object.keys(fc.sample(filters, 1)[0] ?? {}) as (keyof ReviewFilters)[];
    fc.assert(
      fc.property(position, filters, filters, fc.constantFrom(...names), (at, of, other, name) => {
        const changed = { ...of, [name]: other[name] };
        fc.pre(JSON.stringify(changed) !== JSON.stringify(of));
        expect(() => cursors.decode(cursors.encode(at, of), changed)).toThrow(/not issued/);
      }),
    );
  });

  test("is refused once a single character differs, is missing or is added", () => {
    fc.assert(
      fc.property(
        position,
        filters,
        fc.nat({ max: 53 }),
        fc.constantFrom("", "A", "b", "-", "_", "=", "AA", " "),
        (at, of, index, text) => {
          const cursor = cursors.encode(at, of);
          const changed = cursor.slice(0, index) + text + cursor.slice(index + 1);
          fc.pre(changed !== cursor);
          expect(() => cursors.decode(changed, of)).toThrow(/not issued/);
          expect(() => cursors.decode(`${cursor}${text || "A"}`, of)).toThrow(/not issued/);
        },
      ),
    );
  });

  test("is refused under another key", () => {
    fc.assert(
      fc.property(position, filters, (at, of) => {
        const other = createCursors(Buffer.alloc(32, 2));
        expect(() => other.decode(cursors.encode(at, of), of)).toThrow(/not issued/);
      }),
    );
  });
});
