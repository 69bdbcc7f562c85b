// The fields of a channel's choice, by type and generous bounds; the use case says the rest.
import { z } from "zod";
import { eventNames } from "../../domain/channel.ts";
import { id, shortText } from "../fields.ts";

const listMax = 1_000;

const filters = {
  events: z.array(z.enum(eventNames)).max(10),
  apps: z.array(id).max(listMax).nullable(),
  stars: z.array(z.number()).max(10).nullable(),
  topics: z.array(z.string().max(200)).max(200).nullable(),
  translate: z.boolean(),
  dropThreshold: z.number(),
  periodDays: z.number(),
  minSampleSize: z.number(),
};

export const channelFilters = z.strictObject(filters);

export const channelInput = z.strictObject({
  name: shortText,
  url: z.string().max(4_096),
  ...filters,
});

export const channelChange = channelInput.partial();
