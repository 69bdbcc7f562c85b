// E-mails of the service itself, to people with an account or an invitation.
import type { Log } from "../lib/log.ts";

export type ServiceMail = {
  to: string;
  subject: string;
  paragraphs: readonly string[];
  link: { label: string; url: string };
};

/** Resolves once the mail server took it, or with the reason why not. */
export type SendServiceMail = (
  mail: ServiceMail,
) => Promise<{ isSent: true } | { isSent: false; reason: string }>;

/** More than most mailboxes show. */
export const subjectLengthMax = 150;

/** One e-mail to each address, about an act that is done already: failures are logged. */
export async function sendNotice(
  { log, sendMail }: { log: Log; sendMail: SendServiceMail },
  compose: () => Promise<{ addresses: readonly string[]; mail: Omit<ServiceMail, "to"> }>,
): Promise<void> {
  const warn = (reason: string) => log.warn({ reason }, "a notice could not be sent by e-mail");
  try {
    const { addresses, mail } = await compose();
    for (const to of addresses) {
      const sent = await sendMail({ ...mail, to });
      if (!sent.isSent) warn(sent.reason);
    }
  } catch (error) {
    warn(String(error));
  }
}
