// Items with known values, which a shape is compared with, and the fields that have to be found.

/** One field of a stored item. */
export type Known = {
  /** null: the item has none. */
  value: string | null;
  fits(found: unknown): boolean;
};

/** Fields that are left out are not known. */
export type KnownItem = Readonly<Record<string, Known>>;

export type Learning = {
  /** Fields without which an item can't be read. */
  required: readonly string[];
  /** Fields that must be found where they tell items apart. */
  exact: readonly string[];
  /** Fields that change without a new date. */
  changeable: readonly string[];
  /** An item with another value in this field was edited since, and says nothing. */
  date: string | null;
  /** The payload is one item, and each sample another one. */
  isSingle: boolean;
  itemCountMin: number;
};
