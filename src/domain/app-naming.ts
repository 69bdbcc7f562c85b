// Judges by the columns of a row whether it is of an app. Each import asks this before it takes a row.
import { parseAppLink } from "./app-link.ts";
import type { App } from "./listing.ts";
import { type StoreId, storeIds } from "./store-id.ts";
import { storeTraits } from "./store-traits.ts";

/** A column by its name in the file, and its value in a row. */
export type Statement = { column: string; value: string };

type AppVerdict =
  /** It says nothing. */
  | { kind: "silent" }
  /** It says that it is of this app; `column`: by its name alone. */
  | { kind: "own"; column: string | null }
  | { kind: "foreign"; reason: string }
  /** A name or number that can't be compared with the app. */
  | { kind: "unclear"; statement: Statement };

/** The id of the store, and the package of Android, which name nothing else. */
const storeIdColumns = ["externalappid", "trackid", "extid", "applicationid", "adamid"];
const packageColumns = ["packagename", "package"];
/** The store's id, or a number of the product that wrote the file. */
const idColumns = ["appid", "bundleid", "packageid"];
/** Mostly a number of the product that wrote the file. */
const productColumns = ["productid", "product"];
const linkColumns = ["url", "link", "appurl", "storeurl", "reviewurl", "storelink", "applink"];
const storeColumns = ["store", "storeid", "storename", "appstore", "platform"];
const nameColumns = ["app", "appname", "apptitle", "productname"];

const rankedColumns = [
  ...[...storeIdColumns, ...packageColumns, ...storeColumns, ...linkColumns],
  ...[...idColumns, ...productColumns, ...nameColumns],
];

/** Where a column stands among those that name an app, by its plain name; null for other columns. */
export function rankOfStatement(name: string): number | null {
  const rank = rankedColumns.indexOf(name);
  return rank === -1 ? null : rank;
}

/** The store that a word names; `other` for one that Starpost does not read. null for other words. */
export function readStoreName(text: string): StoreId | "other" | null {
  const word = text.toLowerCase().replace(/[^a-z]/g, "");
  if (/^(appstore|applestore|appleappstore|itunes|ios|apple|as|mac|macappstore)$/.test(word))
    return "appstore";
  if (/^(googleplay|googleplaystore|play|playstore|google|android|gp)$/.test(word))
    return "googleplay";
  return /^(amazon|amazonappstore|huawei|appgallery|galaxystore|samsung|microsoft|windows)$/.test(
    word,
  )
    ? "other"
    : null;
}

/** The app whose page, or whose review, a link names. */
function readAppLink(link: string): { store: StoreId; externalAppId: string } | null {
  for (const store of storeIds) {
    const found = parseAppLink(store, link);
    if (found) return { store, externalAppId: found.externalAppId };
  }
  return null;
}

const isPackage = (value: string): boolean => /^[a-z]\w*(\.\w+)+$/i.test(value);
/** As the App Store counts; other products' own numbers are shorter or longer. */
const numberOf = (value: string): string | null => /^(?:id)?(\d{9,10})$/.exec(value)?.[1] ?? null;

/** @param statements by rank: ids before names */
export function judgeStatements(
  app: Pick<App, "store" | "externalAppId"> & { name?: string },
  statements: readonly { name: string; statement: Statement }[],
): AppVerdict {
  let found: AppVerdict = { kind: "silent" };
  for (const { name, statement } of statements) {
    const match = compare(app, { name, value: statement.value });
    if (match === "other") {
      const { column, value } = statement;
      const reason = `the row is of another app than ${app.externalAppId}: ${column} is ${value}`;
      return { kind: "foreign", reason };
    }
    if (match === "same") found = { kind: "own", column: null };
    if (found.kind !== "silent") continue;
    if (match === "named") found = { kind: "own", column: statement.column };
    if (match === "unclear") found = { kind: "unclear", statement };
  }
  return found;
}

type Match = "same" | "named" | "other" | "unclear" | "silent";

function compare(
  app: Pick<App, "store" | "externalAppId"> & { name?: string },
  { name, value }: { name: string; value: string },
): Match {
  const isOf = (store: StoreId, id: string): Match =>
    store === app.store && id === app.externalAppId ? "same" : "other";
  if (storeColumns.includes(name)) {
    const store = readStoreName(value);
    return store === null || store === app.store ? "silent" : "other";
  }
  if (linkColumns.includes(name)) {
    const linked = readAppLink(value);
    return linked === null ? "silent" : isOf(linked.store, linked.externalAppId);
  }
  if (value === app.externalAppId) return "same";
  if (nameColumns.includes(name)) {
    return value.toLowerCase() === app.name?.toLowerCase() ? "named" : "unclear";
  }
  if (storeIdColumns.includes(name) || packageColumns.includes(name)) return "other";
  const number = productColumns.includes(name) ? null : numberOf(value);
  if (number !== null) return isOf("appstore", number);
  // Apps of the App Store have such an id, too, which is not known here.
  return isPackage(value) && storeTraits[app.store].hasPlayConsole ? "other" : "unclear";
}
