// Positions in a generated feed. Time is divided into slots; each slot adds a review or, once per block,
// edits an older one. The review at any position is computed without counting from the beginning.

/** In each block of slots one is an edit of another, which leaves its former position. */
const blockSize = 50;
const editedSlot = 24;
const editSlot = blockSize - 1;
const shownPerBlock = blockSize - 1;

export type FeedSlots = {
  /** Number of visible reviews after so many slots. */
  countOf(slotCount: number): number;
  /** The slot of the review at this position, 0 for the oldest. */
  slotAt(position: number, slotCount: number): number;
  /** The slot that first wrote the review of this slot: itself, or the one that it edits. */
  originalSlot(slot: number): number;
};

/** @param regionCount regions that take turns, slot by slot */
export function createFeedSlots(regionCount: number): FeedSlots {
  const block = blockSize * regionCount;
  const shown = shownPerBlock * regionCount;
  /** Edits in a block of which so many slots have passed. */
  const editsIn = (slots: number): number => Math.max(0, slots - editSlot * regionCount);
  return {
    countOf: (slotCount) => {
      const rest = slotCount % block;
      return Math.floor(slotCount / block) * shown + rest - editsIn(rest);
    },
    slotAt: (position, slotCount) => {
      const wholeBlocks = Math.floor(slotCount / block);
      const index = Math.min(Math.floor(position / shown), wholeBlocks);
      const inBlock = position - index * shown;
      const edits = index < wholeBlocks ? regionCount : editsIn(slotCount % block);
      const skipped = inBlock < editedSlot * regionCount ? 0 : edits;
      return index * block + inBlock + skipped;
    },
    originalSlot: (slot) => {
      const slotOfRegion = Math.floor(slot / regionCount) % blockSize;
      return slotOfRegion === editSlot ? slot - (editSlot - editedSlot) * regionCount : slot;
    },
  };
}
