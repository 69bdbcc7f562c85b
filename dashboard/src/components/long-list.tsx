// A list that gets a search, an order and a button for further rows as soon as it is longer than a screen. The URL keeps the
// search, so that it is there again after a look at one row.
import { type ReactNode, useState } from "react";
import { useSearchParams } from "wouter";
import { formatCount, formatQuantity } from "../format/numbers.ts";
import { Button } from "./button.tsx";
import { Select, TextField } from "./field.tsx";
import styles from "./long-list.module.css";

type LongListProps<Item> = {
  /** One of them in words, which also names the parameter of the URL. */
  name: string;
  items: readonly Item[];
  /** What the search looks through. */
  textOf: (item: Item) => string;
  /** The lowest first, unless they are ordered by name. */
  rankOf: (item: Item) => number;
  children: (item: Item) => ReactNode;
};

const shownAtFirst = 20;
const orders = ["Failing first", "By name"];

export function LongList<Item extends { name: string }>(props: LongListProps<Item>) {
  const { name, items, textOf, rankOf, children } = props;
  const [search, setSearch] = useSearchParams();
  const [shownMax, setShownMax] = useState(shownAtFirst);
  const words = search.get(name) ?? "";
  const order = search.get(`${name}-order`) ?? "";
  const change = (key: string, value: string) => {
    setShownMax(shownAtFirst);
    setSearch(
      (before) => {
        const next = new URLSearchParams(before);
        if (value === "") next.delete(key);
        else next.set(key, value);
        return next;
      },
      { replace: true },
    );
  };
  const terms = words.toLowerCase().split(/\s+/);
  const found = items
    .filter((item) => terms.every((term) => textOf(item).toLowerCase().includes(term)))
    .toSorted((one, other) =>
      order === "" ? rankOf(one) - rankOf(other) : one.name.localeCompare(other.name),
    );
  const leftCount = found.length - shownMax;
  return (
    <>
      {items.length > shownAtFirst ? (
        <div className={styles.listTools}>
          <TextField
            label={`Search ${name}s`}
            hideLabel
            type="search"
            placeholder={`Search ${formatQuantity(items.length, name)}`}
            value={words}
            onValueChange={(value) => change(name, value)}
          />
          <Select
            label={`Order of the ${name}s`}
            hideLabel
            value={order}
            options={orders.map((label, index) => ({ value: index === 0 ? "" : label, label }))}
            onValueChange={(value) => change(`${name}-order`, value)}
          />
        </div>
      ) : null}
      <ul className={styles.list}>{found.slice(0, shownMax).map(children)}</ul>
      {found.length === 0 ? <p role="status">{`No ${name} has these words.`}</p> : null}
      {leftCount > 0 ? (
        <div className={styles.listMore}>
          <Button onClick={() => setShownMax(shownMax + shownAtFirst)}>
            {`Show ${Math.min(shownAtFirst, leftCount)} more of ${formatCount(found.length)}`}
          </Button>
        </div>
      ) : null}
    </>
  );
}
