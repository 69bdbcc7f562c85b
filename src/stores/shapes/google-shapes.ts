// The shapes of Google Play: arrays without names, which grew over the years.
import { at, type Field, type FieldType, type ItemOf, type Path, type Shape } from "./shape.ts";

/** One review in a page of them. The second date is in nanoseconds, a number of its own. */
export const googleReviews = {
  name: "google-reviews",
  version: 1,
  root: [0],
  fields: {
    id: at.text(0),
    author: at.value(1, 0),
    rating: at.number(2),
    title: at.value(3),
    text: at.value(4),
    seconds: at.number(5, 0),
    nanoseconds: at.number(5, 1),
    votes: at.count(6),
    replyText: at.value(7, 1),
    replySeconds: at.number(7, 2, 0),
    replyNanoseconds: at.number(7, 2, 1),
    version: at.value(10),
  },
} as const satisfies Shape;

export type GoogleReviewsShape = Shape<(typeof googleReviews)["fields"]>;

/** Newer pages move fields into an object at the end, where field n has the name n + 1. */
function movable<Type extends FieldType>({ type, paths }: Field<Type>): Field<Type> {
  const moved = ([number, ...rest]: Path): Path => [-1, String(Number(number) + 1), ...rest];
  return { type, paths: [...paths, ...paths.map(moved)] };
}

/** The page of an app, from the block of its details. */
export const googleApp = {
  name: "google-app",
  version: 1,
  root: [1, 2],
  fields: {
    packageName: movable(at.text(77, 0)),
    name: movable(at.text(0, 0)),
    icon: movable(at.text(95, 0, 3, 2)),
    developer: movable(at.text(68, 0)),
    ratings: movable(at.value(51)),
    average: movable(at.number(51, 0, 1)),
    total: movable(at.count(51, 2, 1)),
    reviewCount: movable(at.count(51, 3, 1)),
    oneStar: movable(at.count(51, 1, 1, 1)),
    twoStars: movable(at.count(51, 1, 2, 1)),
    threeStars: movable(at.count(51, 1, 3, 1)),
    fourStars: movable(at.count(51, 1, 4, 1)),
    fiveStars: movable(at.count(51, 1, 5, 1)),
    version: movable(at.text(140, 0, 0, 0)),
    updatedSeconds: movable(at.number(145, 0, 1, 0)),
    releaseNotes: movable(at.text(144, 1, 1)),
    priceMicros: movable(at.count(57, 0, 0, 0, 0, 1, 0, 0)),
    currency: movable(at.text(57, 0, 0, 0, 0, 1, 0, 1)),
    genre: movable(at.text(79, 0, 0, 0)),
    installs: {
      type: "count",
      paths: [...movable(at.count(13, 2)).paths, ...movable(at.count(13, 1)).paths],
    },
  },
} as const satisfies Shape;

export type GoogleAppShape = Shape<(typeof googleApp)["fields"]>;
export type GoogleApp = ItemOf<typeof googleApp>;
