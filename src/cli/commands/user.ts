// starpost user: accounts, for operators; members invite others in the dashboard.

import { ownUrl } from "../../config/config.ts";
import { memberRoles } from "../../domain/people/user.ts";
import { failField } from "../../domain/validation-errors.ts";
import { resetSecondFactor } from "../../use-cases/accounts/second-factor.ts";
import { createSignInLink } from "../../use-cases/accounts/sign-in-link.ts";
import { createUser, deleteUser, setPassword } from "../../use-cases/accounts/users.ts";
import { type Command, command, type Shell } from "../command.ts";
import { flag, optional, required, workspaceOption } from "../option.ts";

const email = required("--email <email>", "The user's e-mail address.");

const password = optional("--password <password>", "At least 12 characters.");
const passwordStdin = flag(
  "--password-stdin",
  "Read the password from standard input: an option can be seen by every user of the machine.",
);

export const commands: Command[] = [
  command({
    name: "user create",
    description:
      "Create an account as a member of a workspace; without a password one is generated.",
    options: {
      email,
      password,
      passwordStdin,
      workspace: workspaceOption("The workspace it belongs to."),
      name: optional("--name <name>", "The name that others see."),
      role: {
        ...optional(
          "--role <role>",
          "owner, member or viewer; the first of a workspace is its owner.",
        ),
        values: memberRoles,
      },
      acceptUnconfirmed: flag(
        "--accept-unconfirmed",
        "Add an existing account whose address is not confirmed.",
      ),
    },
    async run(context, { email, workspace, name, role, acceptUnconfirmed, ...input }) {
      const password = await readPassword(context, input);
      const values = { email, password, name: name ?? null, role: role ?? null };
      const created = await createUser(context, {
        ...values,
        workspaceId: workspace,
        acceptsUnconfirmed: acceptUnconfirmed ?? false,
      });
      return { value: created };
    },
  }),
  command({
    name: "user list",
    description: "List all users.",
    async run({ database }) {
      return {
        value: await database.listUsers(),
        columns: ["email", "name", "hasSecondFactor", "createdAt", "id"],
      };
    },
  }),
  command({
    name: "user set-password",
    description: "Set a user's password and end their sessions; without one it is generated.",
    options: { email, password, passwordStdin },
    async run(context, { email, ...input }) {
      const password = await readPassword(context, input);
      return { value: await setPassword(context, { email, password }) };
    },
  }),
  command({
    name: "user sign-in-link",
    description:
      "Make a link that signs a user in once, within 15 minutes; it works when passwords are switched off.",
    options: { email },
    async run(context, { email }) {
      const baseUrl = ownUrl(context.config);
      return { value: await createSignInLink(context, { email, baseUrl }) };
    },
  }),
  command({
    name: "user reset-second-factor",
    description:
      "Let a user who lost phone and recovery codes sign in with the password alone; ends their sessions.",
    question: async (_context, values) => `Remove the second factor of ${values.email}?`,
    options: { email },
    async run(context, { email }) {
      return { value: await resetSecondFactor(context, { email }) };
    },
  }),
  command({
    name: "user delete",
    description: "Delete an account; what the user made stays.",
    question: async (_context, values) => `Delete the account ${values.email}?`,
    options: { email },
    async run(context, { email }) {
      return { value: await deleteUser(context, { email }) };
    },
  }),
];

// Far more than a password may have.
const inputMax = 4_096;

/** null: one is generated. */
async function readPassword(
  { stdin }: Pick<Shell, "stdin">,
  input: { password?: string | undefined; passwordStdin: boolean },
): Promise<string | null> {
  if (!input.passwordStdin) return input.password ?? null;
  if (input.password !== undefined)
    failField("password", "may be there once only: as an option, or on standard input");
  let text = "";
  for await (const chunk of stdin) {
    text += String(chunk);
    if (text.length > inputMax) failField("password", "is too long");
  }
  return text.replace(/\r?\n$/, "");
}
