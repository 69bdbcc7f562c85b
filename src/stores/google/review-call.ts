// The two calls that return reviews of Google Play: the one of its own site, and the one of older
// clients. They take the same arguments in different places.
import { parseCodeTable } from "../../domain/territories.ts";
import { batchBody } from "./batch.ts";

export type ReviewCall = { rpcId: string; argument(params: ReviewCallParams): unknown };

type ReviewCallParams = { externalAppId: string; token: string | null };

/** More than 150 comes back short or not at all. */
export const pageSize = 150;
const newestFirst = 2;
/** Any score and any device. */
const unfiltered = [null, null, null, null, null, null, null, null, null];

/** In the order of preference. */
export const reviewCalls: readonly [ReviewCall, ReviewCall] = [
  {
    rpcId: "oCPfdb",
    argument: ({ externalAppId, token }) => [
      null,
      [2, newestFirst, token === null ? [pageSize] : [pageSize, null, token], null, unfiltered],
      [externalAppId, 7],
    ],
  },
  {
    rpcId: "UsvDTd",
    argument: ({ externalAppId, token }) => [
      null,
      null,
      [2, newestFirst, [pageSize, null, token], null, []],
      [externalAppId, 7],
    ],
  },
];

export function reviewCallBody(call: ReviewCall, params: ReviewCallParams): string {
  return batchBody(call.rpcId, call.argument(params));
}

/** Reviews come by language; the country that goes with it keeps the pool the same every time. */
export function countryOfLanguage(language: string): string {
  const [base = "", region] = language
    .toLowerCase()
    .split("-")
    .filter((part) => part.length === 2);
  return region ?? countries.get(base) ?? "us";
}

/** Language and country. */
const countries = parseCodeTable(`
  arsa cscz dadk dede elgr eses fifi frfr heil hiin huhu idid itit jajp kokr nlnl nono plpl ptbr
  roro ruru svse thth trtr ukua vivn zhtw
`);
