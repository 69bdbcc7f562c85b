// E-mails to people about acts that they should know of: operations and sign-ins that an attacker with a session or a key may
// have carried out. Sent after the commit; requests don't wait for them.
import { browserName } from "../domain/people/browser-name.ts";
import { cutLine } from "../domain/review/review-line.ts";
import { readableMoment } from "../lib/readable-date.ts";
import { listOwnerAddresses } from "../use-cases/accounts/members.ts";
import { sendNotice, subjectLengthMax } from "../use-cases/service-mail.ts";
import { type Actor, type AfterContext, nameOfActor, type OperationDeps } from "./operation.ts";

type MailDeps = Pick<OperationDeps, "log" | "sendMail" | "settings">;

/** An act that people get an e-mail about. */
type Notice = {
  /** Completes a sentence that begins with the actor, like "removed you as a member". */
  act: string;
  by: { name: string; email?: string };
  /** The browser of a person; null for a program. */
  client: { address: string; browser: string } | null;
  at: Date;
  /** By default the act. */
  subject?: string;
};

/** @param compose the addresses, and the workspace of the act */
export function mailAct(
  { log, sendMail, settings }: MailDeps,
  { act, by, client, at, subject = `${by.name} ${act}` }: Notice,
  compose: () => Promise<{ addresses: readonly string[]; workspace?: string | undefined }>,
): void {
  const { publicUrl } = settings;
  if (sendMail === null || publicUrl === null) return;
  void sendNotice({ log, sendMail }, async () => {
    const { addresses, workspace } = await compose();
    const actor = by.email === undefined ? by.name : `${by.name} (${by.email})`;
    const where = workspace === undefined ? "" : `, in the workspace ${workspace}`;
    const advice = client ? adviseUser(client, at) : [adviceOnKey];
    return {
      addresses,
      mail: {
        subject: cutLine(subject, subjectLengthMax),
        paragraphs: [`${actor} ${act}${where}.`, ...advice],
        link: { label: "Open Starpost", url: publicUrl },
      },
    };
  });
}

const adviceOnKey = "If you did not expect this, revoke the key and check the channels.";

function adviseUser({ address, browser }: { address: string; browser: string }, at: Date) {
  return [
    `On ${readableMoment(at)}, from ${address || "an unknown address"}, with ${browserName(browser)}.`,
    "If you did not expect this, change your password, end your other sessions, and ask the owners of the workspace.",
  ];
}

/**
 * To the owners of the workspace.
 *
 * @param known of a workspace that is gone, its name and owners; or addresses of others than the owners
 */
export function mailNotice(
  { deps, actor, workspaceId, now: at }: AfterContext,
  act: string,
  known: { name?: string; addresses?: readonly string[] } = {},
): void {
  const { database } = deps;
  // The operator needs no permission, and what Starpost does by itself is not an attack.
  if (actor.kind !== "user" && actor.kind !== "key") return;
  const client = actor.kind === "user" ? actor.client : null;
  mailAct(deps, { act, by: toAuthor(actor), client, at }, async () => ({
    workspace: known.name ?? (await database.findWorkspace(workspaceId))?.name,
    addresses: known.addresses ?? (await listOwnerAddresses(database, workspaceId)),
  }));
}

export function toAuthor(actor: Actor): Notice["by"] {
  return actor.kind === "user" ? actor.user : { name: nameOfActor(actor) };
}
