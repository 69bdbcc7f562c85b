// E-mails to the owners of a workspace about operations that they should know of, because an attacker with a session or a
// key may have carried them out. Sent after the commit; requests don't wait for them.
import { cutLine } from "../domain/review-line.ts";
import { formatTimestamp } from "../lib/timestamp.ts";
import { listOwnerAddresses } from "../use-cases/accounts/members.ts";
import { sendNotice, subjectLengthMax } from "../use-cases/service-mail.ts";
import type { Actor, OperationContext } from "./operation.ts";

/**
 * The operator, who needs no permission, is not reported.
 *
 * @param act completes a sentence that begins with the actor, like "made the API key X"
 * @param known of a workspace that is gone, its name and owners; or addresses of others than the owners
 */
export function mailNotice(
  { deps, actor, workspaceId, now }: Omit<OperationContext, "tx">,
  act: string,
  known: { name?: string; addresses?: readonly string[] } = {},
): void {
  const { database, log, sendMail, settings } = deps;
  const { publicUrl } = settings;
  if (sendMail === null || publicUrl === null || actor.kind === "operator") return;
  void sendNotice({ log, sendMail }, async () => {
    const name = known.name ?? (await database.findWorkspace(workspaceId))?.name;
    const addresses = known.addresses ?? (await listOwnerAddresses(database, workspaceId));
    const mail = {
      subject: cutLine(
        `${actor.kind === "user" ? actor.user.name : nameOf(actor)} ${act}`,
        subjectLengthMax,
      ),
      paragraphs: [`${nameOf(actor)} ${act}, in the workspace ${name}.`, ...adviceOf(actor, now)],
      link: { label: "Open Starpost", url: publicUrl },
    };
    return { addresses, mail };
  });
}

function nameOf(actor: Actor): string {
  if (actor.kind === "user") return `${actor.user.name} (${actor.user.email})`;
  return actor.kind === "key" ? `API key ${actor.name}` : actor.name;
}

function adviceOf(actor: Actor, now: Date): string[] {
  if (actor.kind !== "user")
    return ["If you did not expect this, revoke the key and check the channels."];
  const { address, browser } = actor.client;
  return [
    `At ${formatTimestamp(now)}, from ${address || "an unknown address"}, with ${browser || "an unknown browser"}.`,
    "If you did not expect this, change your password, end your other sessions, and ask the owners of the workspace.",
  ];
}
