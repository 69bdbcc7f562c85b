// What a person may choose for an account: e-mail address, name and password, within limits.
import type { FieldError } from "../../domain/error.ts";
import { failFields, readName } from "../../domain/validation-errors.ts";

export const userLimits = { emailMax: 254, nameMax: 100, passwordMin: 12, passwordMax: 128 };

export type UserInput = { email: string; name: string; password: string };

/** @throws AppError `invalid_input` that names every field that can't be right */
export function parseUserInput(choice: UserInput): UserInput {
  const { email, faults: emailFaults } = parseEmail(choice.email);
  const { name, faults: nameFaults } = readName(choice.name, {
    field: "name",
    lengthMax: userLimits.nameMax,
  });
  const passwordFaults = checkPassword("password", { password: choice.password, email, name });
  failFields([...emailFaults, ...nameFaults, ...passwordFaults]);
  return { email, name, password: choice.password };
}

// One @ with something before it and a domain after: the rest is for the mail servers to know.
const emailPattern = /^[^\s\p{C}@<>"(),:;\\[\]]+@[^\s\p{C}@<>"(),:;\\[\]]+$/u;

/** In lower case: people don't tell capitals apart in an address. */
export function parseEmail(stated: string): { email: string; faults: FieldError[] } {
  const email = stated.trim().toLowerCase().normalize("NFC");
  const isOne = email.length <= userLimits.emailMax && emailPattern.test(email);
  return {
    email,
    faults: isOne ? [] : [{ field: "email", message: "must be an e-mail address" }],
  };
}

/** Length counts, composition does not: any character, spaces too, and no rules about digits. */
export function checkPassword(
  field: string,
  given: { password: string; email: string; name: string },
): FieldError[] {
  const { passwordMin, passwordMax } = userLimits;
  const { length } = [...given.password];
  if (length < passwordMin) {
    return [{ field, message: `must have at least ${passwordMin} characters` }];
  }
  if (length > passwordMax) {
    return [{ field, message: `must not have more than ${passwordMax} characters` }];
  }
  return isEasy(given) ? [{ field, message: "is too easy to guess" }] : [];
}

// What people type when they are made to type twelve characters: the heads of published lists.
const commonParts = `password passw0rd qwertyuiop qwerty asdfghjkl zxcvbnm iloveyou welcome letmein
  administrator admin changeme monkey dragon football baseball superman princess sunshine starpost
  abcdefghijkl abc 1q2w3e4r 1qaz2wsx 123456789 12345678 1234567890 0987654321 123 secret login`
  .trim()
  .split(/\s+/);

function isEasy({ password, email, name }: { password: string; email: string; name: string }) {
  const low = password.toLowerCase();
  const own = [email, email.split("@")[0] ?? "", ...name.toLowerCase().split(/\s+/)];
  let rest = low;
  // The longest first, so that a word is not cut up by a part of it.
  const known = [...own, ...commonParts].filter((part) => part.length >= 3);
  for (const part of known.sort((one, other) => other.length - one.length)) {
    rest = rest.replaceAll(part, "");
  }
  // What is left has to hold up by itself.
  return new Set(rest).size < 4 || isRepeated(low) || isRow(low);
}

/** The same few characters over and over, like `abcabcabcabc`. */
function isRepeated(text: string): boolean {
  return /^(.{1,4})\1+.{0,3}$/su.test(text);
}

/** Neighbours in the alphabet or among the digits, like `123456789012`. */
function isRow(text: string): boolean {
  const codes = [...text].map((letter) => letter.codePointAt(0) ?? 0);
  const steps = codes.slice(1).map((code, index) => code - (codes[index] ?? 0));
  return steps.filter((step) => Math.abs(step) === 1).length >= steps.length - 2;
}
