// Rows that name their app by a name or number that can't be compared with it: held until all are read, because only one app
// may be meant.
import type { Statement } from "../../domain/app-naming.ts";
import { unreadableFile } from "./import-file.ts";

/** In memory until the end of the file. */
const heldMax = 100_000;
const shownMax = 5;

export class HeldRows<Row extends { unclear?: Statement; namedBy?: string }> {
  readonly #rows: Row[] = [];
  /** By column. */
  readonly #values = new Map<string, Set<string>>();
  readonly #naming = new Set<string>();

  /** Whether the row is held; others are taken as they come. @throws AppError `invalid_input` for too many */
  hold(row: Row): boolean {
    const { unclear, namedBy } = row;
    if (namedBy !== undefined) this.#naming.add(namedBy);
    if (!unclear) return false;
    const { column, value } = unclear;
    const values = this.#values.get(column) ?? new Set();
    this.#values.set(column, values.size <= shownMax ? values.add(value) : values);
    this.#rows.push(row);
    if (this.#rows.length > heldMax) {
      throw unreadableFile(
        `it names its app by ${column}, which is checked in at most ${heldMax} rows; choose those of the app: --only "${column}=${value}"`,
      );
    }
    return true;
  }

  /**
   * The held rows, and for those of another app the reason.
   *
   * @throws AppError `invalid_input` when they are of several apps
   */
  *settle(): Generator<Row | (Row & { reason: string })> {
    for (const [column, values] of this.#values) {
      if (values.size === 1 || this.#naming.has(column)) continue;
      const list = [...values].slice(0, shownMax).join(", ");
      throw unreadableFile(
        `its rows are of several apps: ${column} is ${list}${values.size > shownMax ? " …" : ""}. Choose those of the app: --only "${column}=${[...values][0]}", or import them into the apps that they name: --all-apps`,
      );
    }
    for (const row of this.#rows) {
      const { column = "", value = "" } = row.unclear ?? {};
      const isOther = this.#naming.has(column);
      yield isOther ? { ...row, reason: `the row is of another app: ${column} is ${value}` } : row;
    }
  }
}
