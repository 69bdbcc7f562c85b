// What a person may choose for a webhook channel, checked against every limit before anything is kept.

import {
  type ChannelFilters,
  channelLimits,
  type EventName,
  eventNames,
} from "../../domain/channel.ts";
import { cleanText } from "../../domain/clean-text.ts";
import type { FieldError } from "../../domain/error.ts";
import { isUuid } from "../../lib/uuid.ts";
import { readName } from "../validation-errors.ts";

/** As it comes from outside: types are right, values need not be. null means "all". */
export type ChannelChoice = {
  name: string;
  url: string;
  events: readonly string[];
  apps: readonly string[] | null;
  stars: readonly number[] | null;
  topics: readonly string[] | null;
  translate: boolean;
  dropThreshold: number;
  periodDays: number;
  minSampleSize: number;
};

export type ReadChannel = ChannelFilters & { name: string; url: string };

/** Everything but whether the apps are there and the URL is allowed: those have to be asked. */
export function readChannelChoice(choice: ChannelChoice): {
  channel: ReadChannel;
  faults: FieldError[];
} {
  const name = readName(choice.name, { field: "name", lengthMax: channelLimits.nameMax });
  const url = choice.url.trim();
  const { filters, faults } = readChannelFilters(choice);
  return {
    channel: { name: name.name, url, ...filters },
    faults: [...name.faults, ...checkUrlText(url), ...faults],
  };
}

export function readChannelFilters(choice: Omit<ChannelChoice, "name" | "url">): {
  filters: ChannelFilters;
  faults: FieldError[];
} {
  const filters = {
    events: eventNames.filter((known) => choice.events.includes(known)),
    apps: choice.apps && unique(choice.apps.map((id) => id.toLowerCase())),
    stars: choice.stars && unique(choice.stars).sort((one, other) => one - other),
    topics: choice.topics && unique(choice.topics.map(readTopic)),
    translate: choice.translate,
    dropThreshold: choice.dropThreshold,
    periodDays: choice.periodDays,
    minSampleSize: choice.minSampleSize,
  };
  const faults = [
    ...checkEvents(choice.events),
    ...checkApps(filters.apps),
    ...checkStars(filters.stars),
    ...checkTopics(filters.topics),
    ...checkRatingDrop(filters),
  ];
  return { filters, faults };
}

/** What a channel may be and yet will hardly do what was wanted, in words. */
export function warnOfChannel(
  channel: { events: readonly EventName[]; translate: boolean },
  { isTranslating }: { isTranslating: boolean },
): string | null {
  const { events, translate } = channel;
  const warnings: string[] = [];
  // An update follows a `review.created`: without those, only reviews from before are ever heard of.
  if (events.includes("review.updated") && !events.includes("review.created")) {
    warnings.push(
      "review.updated without review.created: only reviews that were delivered to this channel before can be updated",
    );
  }
  if (translate && !isTranslating) {
    warnings.push(
      "nobody translates: reviews go out without a translation until TRANSLATE_PROVIDER is set",
    );
  }
  return warnings.length > 0 ? warnings.join("; ") : null;
}

function checkUrlText(url: string): FieldError[] {
  const { urlMax } = channelLimits;
  return [
    ...faultIf(url.length > urlMax, "url", `must not be longer than ${urlMax} characters`),
    // Programs that read addresses drop them, and a database may not keep them.
    ...faultIf(/\p{C}/u.test(url), "url", "must not hold control characters"),
  ];
}

function checkEvents(stated: readonly string[]): FieldError[] {
  const known: readonly string[] = eventNames;
  const unknown = stated.find((event) => !known.includes(event));
  const message = `must be some of ${eventNames.join(", ")}`;
  return faultIf(stated.length === 0 || unknown !== undefined, "events", message);
}

function checkApps(apps: readonly string[] | null): FieldError[] {
  if (apps === null) return [];
  const noId = apps.find((id) => !isUuid(id));
  const { appsMax } = channelLimits;
  return [
    ...checkCount("apps", { count: apps.length, countMax: appsMax }),
    ...faultIf(noId !== undefined, "apps", `${JSON.stringify(noId?.slice(0, 60))} is not an id`),
  ];
}

function checkStars(stars: readonly number[] | null): FieldError[] {
  if (stars === null) return [];
  const isRight =
    stars.length > 0 && stars.every((star) => Number.isInteger(star) && star >= 1 && star <= 5);
  return faultIf(!isRight, "stars", "must be some of 1, 2, 3, 4, 5");
}

function checkTopics(topics: readonly string[] | null): FieldError[] {
  if (topics === null) return [];
  const { topicsMax, topicLengthMax } = channelLimits;
  const isTooLong = topics.some((topic) => topic === "" || topic.length > topicLengthMax);
  return [
    ...checkCount("topics", { count: topics.length, countMax: topicsMax }),
    ...faultIf(isTooLong, "topics", `each must have 1 to ${topicLengthMax} characters`),
  ];
}

function checkRatingDrop(
  drop: Pick<ChannelFilters, "dropThreshold" | "periodDays" | "minSampleSize">,
): FieldError[] {
  const { dropThreshold, periodDays, minSampleSize } = drop;
  const { periodDaysMax, minSampleSizeMax } = channelLimits;
  // Between one star and five stars there are four.
  const isDrop = dropThreshold > 0 && dropThreshold <= 4;
  return [
    ...faultIf(!isDrop, "dropThreshold", "must be more than 0 and at most 4 stars"),
    ...checkWhole("periodDays", { value: periodDays, max: periodDaysMax }),
    ...checkWhole("minSampleSize", { value: minSampleSize, max: minSampleSizeMax }),
  ];
}

function checkWhole(field: string, whole: { value: number; max: number }): FieldError[] {
  const isRight = Number.isInteger(whole.value) && whole.value >= 1 && whole.value <= whole.max;
  return faultIf(!isRight, field, `must be a whole number from 1 to ${whole.max}`);
}

function checkCount(field: string, list: { count: number; countMax: number }): FieldError[] {
  const isRight = list.count >= 1 && list.count <= list.countMax;
  return faultIf(!isRight, field, `must be 1 to ${list.countMax}, or all`);
}

function faultIf(isFault: boolean, field: string, message: string): FieldError[] {
  return isFault ? [{ field, message }] : [];
}

// Topics are found in lower case: another spelling would match nothing.
function readTopic(topic: string): string {
  return cleanText(topic).trim().toLowerCase();
}

function unique<T>(items: readonly T[]): T[] {
  return [...new Set(items)];
}
