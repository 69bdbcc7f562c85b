// How a use case says no: which field can't be right and why, all at once and before anything is done.

import { cleanText } from "../domain/clean-text.ts";
import { AppError, type FieldError } from "../domain/error.ts";
import { isUuid } from "../lib/uuid.ts";

/** Throws when there are faults: a value that can't be right, by the name of its field. */
export function refuseFaults(faults: readonly FieldError[]): void {
  if (faults.length === 0) return;
  const message = faults.map((fault) => `${fault.field}: ${fault.message}`).join("; ");
  throw new AppError("invalid_input", message, { fields: faults });
}

export function refuse(field: string, message: string): never {
  const fields = [{ field, message }];
  throw new AppError("invalid_input", `${field}: ${message}`, { fields });
}

/** Refuses what can't be an id at all; whether the thing is there is another question. */
export function refuseNoId(field: string, id: string): void {
  if (!isUuid(id)) refuse(field, `${JSON.stringify(id.slice(0, 60))} is not an id`);
}

export function notFound(thing: string, id: string): AppError {
  return new AppError("not_found", `there is no ${thing} ${id}`);
}

/** A name as it is kept: harmless, without spaces around it. */
export function readName(
  name: string,
  limits: { field: string; lengthMax: number },
): { name: string; faults: FieldError[] } {
  const clean = cleanText(name).trim();
  const { field, lengthMax } = limits;
  if (clean === "") return { name: clean, faults: [{ field, message: "must not be empty" }] };
  if (clean.length > lengthMax) {
    return {
      name: clean,
      faults: [{ field, message: `must not be longer than ${lengthMax} characters` }],
    };
  }
  return { name: clean, faults: [] };
}

export const nameLengthMax = 200;
