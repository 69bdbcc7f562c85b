import { createHmac } from "node:crypto";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { sentimentLabels } from "../domain/review/analysis.ts";
import { createCursors, type ListKey } from "./cursor.ts";

const cursors = createCursors([Buffer.alloc(32, 1)]);

const position = fc.record({
  micros: fc.bigInt({ min: 1_199_145_600_000_000n, max: 4_133_980_800_000_000n }),
  id: fc.uuid(),
});

const day = fc.constantFrom(null, "2026-11-20", "2026-11-21");
const lists: fc.Arbitrary<ListKey> = fc.record({
  workspaceId: fc.uuid(),
  filters: fc.record({
    app: fc.option(fc.array(fc.uuid(), { maxLength: 2 })),
    from: day,
    rating: fc.option(fc.array(fc.integer({ min: 1, max: 5 }), { maxLength: 2 })),
    sentiment: fc.option(fc.constantFrom(...sentimentLabels)),
    topic: fc.option(fc.string({ maxLength: 5 })),
  }),
});

describe("a cursor", () => {
  test("gives back its position to the microsecond for the same filters", () => {
    fc.assert(
      fc.property(position, lists, (at, of) => {
        const cursor = cursors.encode(at, of);
        expect(cursor).toMatch(/^[\w-]{54}$/);
        expect(cursors.decode(cursor, of)).toEqual(at);
      }),
    );
  });

  test("is refused once a single filter, or the workspace, is another", () => {
    const names = Object.keys(Object(fc.sample(lists, 1)[0]?.filters));
    fc.assert(
      fc.property(position, lists, lists, fc.constantFrom("", ...names), (at, of, other, name) => {
        const changed =
          name === ""
            ? { ...of, workspaceId: other.workspaceId }
            : { ...of, filters: { ...of.filters, [name]: Object(other.filters)[name] } };
        fc.pre(JSON.stringify(changed) !== JSON.stringify(of));
        expect(() => cursors.decode(cursors.encode(at, of), changed)).toThrow(/not issued/);
      }),
    );
  });

  test("is refused once a single character differs, is missing or is added", () => {
    fc.assert(
      fc.property(
        position,
        lists,
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
      fc.property(position, lists, (at, of) => {
        const other = createCursors([Buffer.alloc(32, 2)]);
        expect(() => other.decode(cursors.encode(at, of), of)).toThrow(/not issued/);
      }),
    );
  });

  test("stays valid when the key that made it became an older one", () => {
    const [old, current] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)];
    fc.assert(
      fc.property(position, lists, (at, of) => {
        const made = cursors.encode(at, of);
        expect(createCursors([current, old]).decode(made, of)).toEqual(at);
        const renewed = createCursors([current, old]).encode(at, of);
        expect(createCursors([current]).decode(renewed, of)).toEqual(at);
      }),
    );
  });

  test("holds an HMAC-SHA256 of the list and the position", () => {
    const key = Buffer.alloc(32, 1);
    const list = { workspaceId: "workspace", filters: { rating: [1] } };
    const [at] = fc.sample(position, 1);
    if (!at) throw new Error("nothing was sampled");
    const bytes = Buffer.from(cursors.encode(at, list), "base64url");
    const text = JSON.stringify(["reviews-2", list.workspaceId, list.filters]);
    const mac = createHmac("sha256", key).update(text).update(bytes.subarray(0, 24)).digest();
    expect(bytes.subarray(24)).toEqual(mac.subarray(0, 16));
  });
});
