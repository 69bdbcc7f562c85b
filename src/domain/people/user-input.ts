// The input for an account: e-mail address, name and password, and what each has to be.
import { z } from "zod";
import { nameSchema } from "../fields.ts";
import { parseInput } from "../validation-errors.ts";
import { isEasyPassword } from "./easy-password.ts";

export const userLimits = { emailMax: 254, nameMax: 100, passwordMin: 12, passwordMax: 128 };

export type UserInput = { email: string; name: string; password: string };

// One @ with something before it and a domain after it: mail servers know the rest.
const emailPattern = /^[^\s\p{C}@<>"(),:;\\[\]]+@[^\s\p{C}@<>"(),:;\\[\]]+$/u;

export const emailSchema = z
  .string({ error: "is required" })
  .transform(normalizeEmail)
  .refine((email) => !isMixedScript(email), { error: "must not mix alphabets" })
  .refine((email) => email.length <= userLimits.emailMax && emailPattern.test(email), {
    error: "must be an e-mail address",
  });

/** Whom an invitation is for: an address, or everyone in a domain, written `@example.com`. */
export const inviteeSchema = z
  .string({ error: "is required" })
  .transform(normalizeEmail)
  .refine((text) => emailSchema.safeParse(text.startsWith("@") ? `a${text}` : text).success, {
    error: "must be an e-mail address, or a domain like @example.com",
  });

/** `аnn@example.com` with a Cyrillic letter looks like another address. */
function isMixedScript(email: string): boolean {
  const [local = ""] = email.split("@");
  return /\p{Script=Latin}/u.test(local) && /\p{Script=Cyrillic}|\p{Script=Greek}/u.test(local);
}

/** In lower case: addresses are not case-sensitive for people. The result need not be an address. */
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
    } else if (isEasyPassword(password, ownWordsOf(owner)))
      context.addIssue("is too easy to guess");
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

/** The first guesses of an attacker. */
function ownWordsOf({ email, name }: Pick<UserInput, "email" | "name">): string[] {
  const address = email.trim().toLowerCase();
  const domain = address.split("@")[1] ?? "";
  return ["starpost", address, ...address.split(/[@.+_-]/), domain, ...name.split(/\s+/)].filter(
    (word) => word.length >= 3,
  );
}
