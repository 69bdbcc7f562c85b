// The arithmetic of a generated feed: one slot of time after the other, each a new review or, at times,
// an edit of an older one. Any place in the feed is found without counting from its beginning.

/** In each block of slots one is an edit of another, which then stands no longer where it was. */
const blockSize = 50;
const editedSlot = 24;
const editSlot = blockSize - 1;
const shownPerBlock = blockSize - 1;

export type FeedSlots = {
  /** Reviews that are seen once so many slots have passed. */
  countOf(slotCount: number): number;
  /** The slot of the review at this place, 0 for the oldest. */
  slotAt(place: number, slotCount: number): number;
  /** The slot that wrote the review which this slot shows: itself, or the one that it edits. */
  originOf(slot: number): number;
};

/** @param lanes timelines that are shuffled together, slot by slot */
export function createFeedSlots(lanes: number): FeedSlots {
  const block = blockSize * lanes;
  const shown = shownPerBlock * lanes;
  /** Edits that have happened in a block of which so many slots have passed. */
  const editsIn = (slots: number): number => Math.max(0, slots - editSlot * lanes);
  return {
    countOf: (slotCount) => {
      const rest = slotCount % block;
      return Math.floor(slotCount / block) * shown + rest - editsIn(rest);
    },
    slotAt: (place, slotCount) => {
      const wholeBlocks = Math.floor(slotCount / block);
      const index = Math.min(Math.floor(place / shown), wholeBlocks);
      const inBlock = place - index * shown;
      const edits = index < wholeBlocks ? lanes : editsIn(slotCount % block);
      const skipped = inBlock < editedSlot * lanes ? 0 : edits;
      return index * block + inBlock + skipped;
    },
    originOf: (slot) => {
      const inLane = Math.floor(slot / lanes) % blockSize;
      return inLane === editSlot ? slot - (editSlot - editedSlot) * lanes : slot;
    },
  };
}
