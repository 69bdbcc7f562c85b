// A shape of a store's payloads that differs from the one of this release: learned from known reviews, or imported by an
// operator. docs/shapes.md describes the way from one state to the next.

/**
 * `shadow`: compared with known reviews, and not used. `proposed`: an operator decides. `used`: pages are read by it.
 * `withdrawn`: a page contradicted it.
 */
const learnedShapeStates = ["shadow", "proposed", "used", "withdrawn"] as const;

export type LearnedShape = {
  /** The name of the shape: there is one learned shape for each. */
  name: string;
  /** As `parseShape` of the stores takes it. */
  shape: unknown;
  state: (typeof learnedShapeStates)[number];
  /** Crawls that it explained in the shadow. */
  roundCount: number;
  /** The evidence in words, or why it was withdrawn. */
  reason: string;
  since: Date;
};

/** `off`: nothing is learned. `propose`: an operator imports what was learned. `on`: it is used by itself. */
export const healModes = ["off", "propose", "on"] as const;
export type HealMode = (typeof healModes)[number];
