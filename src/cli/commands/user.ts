// starpost user: people with an account, for operators; everybody else is invited on the pages.
import { createUser, deleteUser, setPassword } from "../../use-cases/members/users.ts";
import { type Command, command } from "../command.ts";
import { optional, required } from "../option.ts";

const email = required("--email <email>", "The person's e-mail address.");

export const userCommands: Command[] = [
  command({
    name: "user create",
    about: "Make an account and put it into a workspace; without a password one is made up.",
    args: {},
    options: {
      email,
      password: optional("--password <password>", "At least 12 characters."),
      workspace: required("--workspace <id>", "The workspace it belongs to."),
      name: optional("--name <name>", "How others see the person."),
      role: optional("--role <role>", "owner or member; the first of a workspace is its owner."),
    },
    async run(shell, { email, password, workspace, name, role }) {
      const given = { email, password: password ?? null, name: name ?? null, role: role ?? null };
      const created = await createUser(await shell.context(), { ...given, workspaceId: workspace });
      return { value: created };
    },
  }),
  command({
    name: "user list",
    about: "List everybody who has an account.",
    args: {},
    options: {},
    async run(shell) {
      const { database } = await shell.context();
      return { value: await database.listUsers(), columns: ["id", "email", "name", "createdAt"] };
    },
  }),
  command({
    name: "user set-password",
    about: "Give a person a new password and end their sessions; without one it is made up.",
    args: {},
    options: { email, password: optional("--password <password>", "At least 12 characters.") },
    async run(shell, { email, password }) {
      const given = { email, password: password ?? null };
      return { value: await setPassword(await shell.context(), given) };
    },
  }),
  command({
    name: "user delete",
    about: "Delete an account; what the person made stays.",
    args: {},
    options: { email },
    async run(shell, { email }) {
      return { value: await deleteUser(await shell.context(), { email }) };
    },
  }),
];
