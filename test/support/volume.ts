// How often tests repeat what they repeat for chance: a fifth of it in `npm test`, all of it in CI, which sets TEST_VOLUME=1.

const factor = Number(process.env["TEST_VOLUME"] ?? 0.2);

export function volume(count: number): number {
  return Math.ceil(count * factor);
}
