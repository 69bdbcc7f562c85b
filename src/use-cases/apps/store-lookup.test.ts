import { expect, test, vi } from "vitest";
import { lookUpApp, type StoreAppLookup } from "./store-lookup.ts";

type Answer = Awaited<ReturnType<StoreAppLookup["fetchApp"]>>;
const query = { externalAppId: "4242", countries: ["us", "gb", "ca"] };

/** A store with these answers by storefront, and the storefronts that it was asked for. */
function aStore(answers: Record<string, Answer>) {
  const askedIn: string[] = [];
  const store: StoreAppLookup = {
    validateAppId: () => ({ ok: true }),
    async fetchApp({ region }) {
      askedIn.push(region);
      return answers[region] ?? { outcome: "empty" };
    },
  };
  return { store, askedIn };
}

test("storefronts are asked until one has the app", async () => {
  const details = { name: "Tide", iconUrl: "" };
  const { store, askedIn } = aStore({ gb: { outcome: "ok", value: details } });
  expect(await lookUpApp(store, query)).toEqual({ kind: "found", details });
  expect(askedIn).toEqual(["us", "gb"]);
});

test("an app that no storefront has is absent", async () => {
  const { store } = aStore({});
  const { countries } = query;
  expect(await lookUpApp(store, query)).toMatchObject({ kind: "absent", countries });
});

test("a storefront that does not answer is passed over, and not counted as one without the app", async () => {
  const details = { name: "Tide", iconUrl: "" };
  const away: Answer = { outcome: "unknown", reason: "is away" };
  const { store } = aStore({ us: away, ca: { outcome: "ok", value: details } });
  expect(await lookUpApp(store, query)).toEqual({ kind: "found", details });
  const { store: other } = aStore({ us: away });
  expect(await lookUpApp(other, query)).toEqual({ kind: "unknown", reason: "is away" });
});

test("a store that is away is not asked for each storefront", async () => {
  vi.useFakeTimers({ toFake: ["performance"] });
  const askedIn: string[] = [];
  const store: StoreAppLookup = {
    validateAppId: () => ({ ok: true }),
    async fetchApp({ region }) {
      askedIn.push(region);
      vi.advanceTimersByTime(5_000);
      return { outcome: "unknown", reason: "did not answer" };
    },
  };
  expect(await lookUpApp(store, query)).toEqual({ kind: "unknown", reason: "did not answer" });
  expect(askedIn).toEqual(["us"]);
  vi.useRealTimers();
});
