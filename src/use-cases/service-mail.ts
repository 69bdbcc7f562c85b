// E-mails of the service itself, to people with an account or an invitation.

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
