// Judges by the columns of a row whether it is of an app. Each import asks this before it takes a row.

import type { App } from "../../../domain/feed/listing.ts";
import { isPackageName } from "../../../domain/store/app-link.ts";
import { type StoreId, storeIds } from "../../../domain/store/store-id.ts";
import { parseAppLink, storeTraits } from "../../../domain/store/store-traits.ts";
import { plainName } from "./import-names.ts";

/** A column by its name in the file, and its value in a row. */
export type Statement = { column: string; value: string };

type AppComparison =
  /** It says nothing. */
  | { kind: "silent" }
  /** It says that it is of this app; `column`: where other values can't be compared with it. */
  | { kind: "own"; column: string | null; isById: boolean }
  | { kind: "foreign"; reason: string }
  /** A name or number that can't be compared with the app. */
  | { kind: "unclear"; statement: Statement };

const app = "(?:app|application)?";
const store = "(?:itunes|apple|adam|play|google|googleplay|android|ios|store|playstore)";
/** By plain name. The id of the store, and the package of Android, which name nothing else. */
const storeIdColumns = pattern(`${app}(?:externalapp|track|ext|application|adam|${store}app)id`);
const packageColumns = pattern(`${app}${store}?(?:package|pkg)(?:name)?`);
/** The store's id, or a number of the product that wrote the file. */
const idColumns = pattern(
  `${app}(?:app|bundle|package|itunes|apple|googleplay)?(?:id|identifier)|${app}bundle`,
);
/** Mostly a number of the product that wrote the file. */
const productColumns = pattern("product(?:id)?");
const linkColumns = /(?:url|uri|link|href)$/;
const storeColumns = pattern(
  "store(?:id|name|type)?|appstore(?:id|name)?|platform|market(?:place)?|source|os",
);
const nameColumns = pattern("app|appname|apptitle|productname|application|applicationname");

const vagueColumns = [idColumns, productColumns, nameColumns];
const rankedColumns = [
  ...[storeIdColumns, packageColumns, storeColumns, linkColumns],
  ...vagueColumns,
];

function pattern(text: string): RegExp {
  return new RegExp(`^(?:${text})$`);
}

/** Where a column stands among those that name an app, by its plain name; null for other columns. */
export function rankOfStatement(name: string): number | null {
  // The row's own.
  if (name === "id" || name === "identifier") return null;
  const rank = rankedColumns.findIndex((columns) => columns.test(name));
  return rank === -1 ? null : rank;
}

/** By its name, in any form. */
export function namesAnApp(column: string): boolean {
  return rankOfStatement(plainName(column)) !== null;
}

/** The store that a word names; `other` for one that Starpost does not read. null for other words. */
export function readStoreName(text: string): StoreId | "other" | null {
  const word = text.toLowerCase().replace(/[^a-z]/g, "");
  const named = storeIds.find((store) => storeTraits[store].fileNames.includes(word));
  if (named) return named;
  return /^(amazon|amazonappstore|huawei|appgallery|galaxystore|samsung|microsoft|windows)$/.test(
    word,
  )
    ? "other"
    : null;
}

type NamedApp = Pick<App, "store" | "externalAppId">;

/** The app whose page, or whose review, a link names. */
function readAppLink(link: string): NamedApp | null {
  for (const store of storeIds) {
    const found = parseAppLink(store, link);
    if (found) return { store, externalAppId: found.externalAppId };
  }
  return null;
}

/** The app whose id has the form of one store alone. */
function readAppId(value: string): NamedApp | null {
  for (const store of storeIds) {
    const externalAppId = storeTraits[store].readFileId(value);
    if (externalAppId !== null) return { store, externalAppId };
  }
  return null;
}

/** @param statements by rank: ids before names */
export function judgeStatements(
  app: Pick<App, "store" | "externalAppId"> & { name?: string },
  statements: readonly { name: string; statement: Statement }[],
): AppComparison {
  let found: AppComparison = { kind: "silent" };
  for (const { name, statement } of statements) {
    const match = compare(app, { name, value: statement.value });
    if (match === "other") {
      const { column, value } = statement;
      const reason = `the row is of another app than ${app.externalAppId}: ${column} is ${value}`;
      return { kind: "foreign", reason };
    }
    const isVague = vagueColumns.some((columns) => columns.test(name));
    const own = { kind: "own", column: isVague ? statement.column : null } as const;
    if (match === "same") found = { ...own, isById: true };
    if (found.kind !== "silent") continue;
    if (match === "named") found = { ...own, isById: false };
    if (match === "unclear") found = { kind: "unclear", statement };
  }
  return found;
}

type Match = "same" | "named" | "other" | "unclear" | "silent";

function compare(
  app: Pick<App, "store" | "externalAppId"> & { name?: string },
  { name, value }: { name: string; value: string },
): Match {
  const isOf = ({ store, externalAppId }: NamedApp): Match =>
    store === app.store && externalAppId === app.externalAppId ? "same" : "other";
  const linked = linkColumns.test(name) || value.includes(":") ? readAppLink(value) : null;
  if (linked) return isOf(linked);
  if (linkColumns.test(name)) return "silent";
  if (storeColumns.test(name)) {
    const named = namesApp(name, value) ? readAppId(value) : null;
    if (named) return isOf(named);
    const store = readStoreName(value);
    return store === null || store === app.store ? "silent" : "other";
  }
  if (value === app.externalAppId) return "same";
  // Names such as Booking.com look like a package of two parts.
  const isId = isPackageName(value) && value.split(".").length > 2;
  if (nameColumns.test(name) && !isId) {
    return value.toLowerCase() === app.name?.toLowerCase() ? "named" : "unclear";
  }
  if (storeIdColumns.test(name) || packageColumns.test(name)) return "other";
  const numbered = isPackageName(value) || productColumns.test(name) ? null : readAppId(value);
  if (numbered) return isOf(numbered);
  // Apps of the App Store have such an id, too, which is not known here.
  return isPackageName(value) && storeTraits[app.store].hasPlayConsole ? "other" : "unclear";
}

/** Whether an id of the store is the app's, and not the review's. */
export function namesApp(column: string, value: string): boolean {
  return column.endsWith("storeid") && isPackageName(value);
}
