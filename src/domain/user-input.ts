// What people enter for an account: e-mail address, name and password, and what each has to be.
import { z } from "zod";
import { nameSchema } from "./fields.ts";
import { parseInput } from "./validation-errors.ts";

export const userLimits = { emailMax: 254, nameMax: 100, passwordMin: 12, passwordMax: 128 };

export type UserInput = { email: string; name: string; password: string };

// One @ with something before it and a domain after it: mail servers know the rest.
const emailPattern = /^[^\s\p{C}@<>"(),:;\\[\]]+@[^\s\p{C}@<>"(),:;\\[\]]+$/u;

export const emailSchema = z
  .string({ error: "is required" })
  .transform(normalizeEmail)
  .refine((email) => email.length <= userLimits.emailMax && emailPattern.test(email), {
    error: "must be an e-mail address",
  });

/** In lower case: people don't tell capitals apart in an address. The result need not be an address. */
export function normalizeEmail(text: string): string {
  return text.trim().toLowerCase().normalize("NFC");
}

export const userNameSchema = nameSchema(userLimits.nameMax);

/** Length counts, composition does not: any character, spaces too, and no rules about digits. */
export function passwordSchema(owner: Pick<UserInput, "email" | "name">) {
  const { passwordMin, passwordMax } = userLimits;
  return z.string({ error: "is required" }).superRefine((password, context) => {
    const { length } = [...password];
    if (length < passwordMin) context.addIssue(`must have at least ${passwordMin} characters`);
    else if (length > passwordMax) {
      context.addIssue(`must not have more than ${passwordMax} characters`);
    } else if (isEasy({ ...owner, password })) context.addIssue("is too easy to guess");
  });
}

/** @throws AppError `invalid_input` that names every faulty field */
export function parseUserInput(input: UserInput): UserInput {
  const schema = z.object({
    email: emailSchema,
    name: userNameSchema,
    password: passwordSchema(input),
  });
  return parseInput(schema, input);
}

// What people type when they have to type twelve characters: the top of published lists.
const commonParts = `password passw0rd qwertyuiop qwerty asdfghjkl zxcvbnm iloveyou welcome letmein
  administrator admin changeme monkey dragon football baseball superman princess sunshine starpost
  abcdefghijkl abc 1q2w3e4r 1qaz2wsx 123456789 12345678 1234567890 0987654321 123 secret login`
  .trim()
  .split(/\s+/);

function isEasy(input: UserInput): boolean {
  const password = input.password.toLowerCase();
  const email = input.email.trim().toLowerCase();
  const own = [email, email.split("@")[0] ?? "", ...input.name.toLowerCase().split(/\s+/)];
  const known = [...own, ...commonParts].filter((part) => part.length >= 3);
  let rest = password;
  // The longest first, so that a word is not cut up by a part of it.
  for (const part of known.sort((one, other) => other.length - one.length)) {
    rest = rest.replaceAll(part, "");
  }
  // What is left must not be trivial either.
  return new Set(rest).size < 4 || isRepeated(password) || isSequence(password);
}

/** The same few characters over and over, like `abcabcabcabc`. */
function isRepeated(text: string): boolean {
  return /^(.{1,4})\1+.{0,3}$/su.test(text);
}

/** Neighbours in the alphabet or among the digits, like `123456789012`. */
function isSequence(text: string): boolean {
  const codes = [...text].map((letter) => letter.codePointAt(0) ?? 0);
  const steps = codes.slice(1).map((code, index) => code - (codes[index] ?? 0));
  return steps.filter((step) => Math.abs(step) === 1).length >= steps.length - 2;
}
