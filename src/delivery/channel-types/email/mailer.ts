// Sends e-mails over SMTP by nodemailer: composes the MIME message, keeps a connection for the next one, and ends
// each attempt at its deadline.
import { randomUUID } from "node:crypto";
import { domainToASCII } from "node:url";
import type MailComposer from "nodemailer/lib/mail-composer";
import type SmtpConnection from "nodemailer/lib/smtp-connection";
import { messageOf } from "../../../lib/errors.ts";
import { explainFailure, explainTimeout, type FailureReason } from "../../../lib/failure-causes.ts";
import { hideSecrets } from "../../../lib/hide-secrets.ts";
import { numberAt, textAt, valueAt } from "../../../lib/json.ts";
import type { MailResult, Refusal } from "./mail-result.ts";

type Mail = {
  /** Stays the same when it is sent again: mail programs show it once. */
  id: string;
  threadId: string | null;
  recipients: readonly string[];
  /** Where the recipients end such e-mails; null where they can't. */
  stopUrl: string | null;
  subject: string;
  html: string;
  text: string;
  now: Date;
  isFresh: () => boolean;
};

export type Mailer = {
  send(mail: Mail): Promise<MailResult | { kind: "stale" }>;
  /** Connects, signs in and leaves: null if the server takes e-mails, else why not. */
  findFault(): Promise<FailureReason | null>;
  close(): void;
};

export type MailServer = {
  host: string;
  port: number;
  /** TLS from the first byte; else STARTTLS where the server offers it. */
  isSecure: boolean;
  /** The name by which Starpost greets it; null for what nodemailer finds. */
  clientName: string | null;
  auth: { user: string; pass: string } | null;
};

type Packages = { Composer: typeof MailComposer; Connection: typeof SmtpConnection };

/** Most servers close a connection that is idle for longer. */
const idleMs = 4_000;

export function openMailer(options: {
  server: MailServer;
  from: string;
  timeoutMs: number;
}): Mailer {
  const { server, from, timeoutMs } = options;
  const idle = new Map<SmtpConnection, NodeJS.Timeout>();
  const [, domain = "starpost.invalid"] = /@(.+)$/.exec(toEnvelope(from)) ?? [];
  let packages: Promise<Packages> | null = null;

  function openConnection(Connection: typeof SmtpConnection): SmtpConnection {
    const connection = new Connection(toOptions(server, timeoutMs));
    // Its outcome is irrelevant while no caller waits, and must not end the process.
    connection.on("error", () => {});
    return connection;
  }
  function release(connection: SmtpConnection): void {
    const timer = setTimeout(() => drop(connection), idleMs);
    timer.unref();
    idle.set(connection, timer);
  }
  function take(): SmtpConnection | null {
    const [next] = idle.keys();
    if (!next) return null;
    clearTimeout(idle.get(next));
    idle.delete(next);
    return next.destroyed ? take() : next;
  }
  function drop(connection: SmtpConnection): void {
    clearTimeout(idle.get(connection));
    idle.delete(connection);
    connection.close();
  }

  return {
    async send(mail) {
      packages ??= loadPackages();
      const { Composer, Connection } = await packages;
      const message = await composeMime(Composer, { mail, from, domain });
      const connection = take() ?? openConnection(Connection);
      const work = sendOver(connection, { mail, message, from, server });
      const result = await untilDeadline(work, { connection, timeoutMs });
      if (result.kind === "failed") connection.close();
      else release(connection);
      return result.kind === "stale" ? result : withEnteredAddresses(result, mail.recipients);
    },
    async findFault() {
      const { Connection } = await loadPackages();
      const connection = openConnection(Connection);
      const result = await untilDeadline(open(connection, server), { connection, timeoutMs });
      connection.close();
      return result?.kind === "failed" ? result : null;
    },
    close() {
      for (const connection of [...idle.keys()]) drop(connection);
    },
  };
}

// Loaded with the first e-mail: most installations send none.
async function loadPackages(): Promise<Packages> {
  const composer = await import("nodemailer/lib/mail-composer");
  const connection = await import("nodemailer/lib/smtp-connection");
  return { Composer: composer.default, Connection: connection.default };
}

function toOptions(server: MailServer, timeoutMs: number) {
  return {
    host: server.host,
    port: server.port,
    secure: server.isSecure,
    name: server.clientName ?? undefined,
    // A password is never sent over an unencrypted connection, except to this machine.
    requireTLS: server.auth !== null && !/^(localhost|127(\.\d+){3}|::1)$/.test(server.host),
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    socketTimeout: timeoutMs,
    maxResponseSize: 65_536,
  };
}

function composeMime(
  Composer: typeof MailComposer,
  { mail, from, domain }: { mail: Mail; from: string; domain: string },
): Promise<Buffer> {
  const composer = new Composer({
    from,
    to: [...mail.recipients],
    subject: mail.subject,
    text: mail.text,
    html: mail.html,
    date: mail.now,
    messageId: `<${mail.id}@${domain}>`,
    ...(mail.threadId && { references: `<review-${mail.threadId}@${domain}>` }),
    headers: {
      "Auto-Submitted": "auto-generated",
      "X-Auto-Response-Suppress": "All",
      ...(mail.stopUrl && stopHeaders(mail.stopUrl, { isOneClick: mail.recipients.length === 1 })),
    },
    // Nothing in a text is a file or URL to be read.
    disableFileAccess: true,
    disableUrlAccess: true,
    boundaryPrefix: randomUUID().slice(0, 8),
  });
  return new Promise((resolve, reject) => {
    composer.compile().build((error: Error | null, built?: Buffer) => {
      if (error || !built) reject(error ?? new Error("no message was built"));
      else resolve(built);
    });
  });
}

/** RFC 2369; one click (RFC 8058) where the URL says who unsubscribes. */
function stopHeaders(url: string, { isOneClick }: { isOneClick: boolean }): Record<string, string> {
  const header = { "List-Unsubscribe": `<${url}>` };
  return isOneClick ? { ...header, "List-Unsubscribe-Post": "List-Unsubscribe=One-Click" } : header;
}

type SendOptions = { mail: Mail; message: Buffer; from: string; server: MailServer };

async function sendOver(
  connection: SmtpConnection,
  { mail, message, from, server }: SendOptions,
): Promise<MailResult | { kind: "stale" }> {
  await open(connection, server);
  if (!mail.isFresh()) return { kind: "stale" };
  const envelope = { from: toEnvelope(from), to: mail.recipients.map(toEnvelope) };
  return new Promise((resolve, reject) => {
    connection.send(envelope, message, (error, info) => {
      if (error || !info) return reject(error ?? new Error("no answer"));
      const refused = (info.rejectedErrors ?? []).map(toRefusal);
      resolve({ kind: "accepted", response: info.response, refused });
    });
  });
}

/**
 * The address alone, with its domain in ASCII: only servers with SMTPUTF8 take other letters. Composing the message, nodemailer does
 * the same in its headers.
 */
function toEnvelope(mailbox: string): string {
  const address = mailbox.replace(/^.*<([^>]*)>.*$/, "$1").trim();
  const at = address.lastIndexOf("@") + 1;
  return address.slice(0, at) + (domainToASCII(address.slice(at)) || address.slice(at));
}

/** Recipients are known by the addresses that people entered. */
function withEnteredAddresses(result: MailResult, recipients: readonly string[]): MailResult {
  const entered = new Map(recipients.map((recipient) => [toEnvelope(recipient), recipient]));
  const refused = result.refused.map((one) => ({
    ...one,
    address: entered.get(one.address) ?? one.address,
  }));
  return { ...result, refused };
}

async function open(connection: SmtpConnection, { auth }: MailServer): Promise<void> {
  if (connection.stage !== "connected") await callBack((done) => connection.connect(done));
  if (auth && !connection.authenticated) {
    const login = callBack((done) => connection.login({ credentials: auth }, done));
    // Some servers repeat the password in their refusal.
    await login.catch((error: unknown) => {
      const response = hideSecrets(textAt(error, "response") ?? "", [auth.pass]);
      throw Object.assign(new Error(messageOf(error)), error, { response });
    });
  }
}

function callBack(start: (done: (error?: unknown) => void) => void): Promise<void> {
  return new Promise((resolve, reject) => {
    start((error) => (error ? reject(error) : resolve()));
  });
}

/** Settles by the work's end, an error of the connection or the deadline, whichever comes first. */
async function untilDeadline<T>(
  work: Promise<T>,
  { connection, timeoutMs }: { connection: SmtpConnection; timeoutMs: number },
): Promise<T | (MailResult & { kind: "failed" })> {
  let timer: NodeJS.Timeout | undefined;
  let onError: (error: unknown) => void = () => {};
  const ended = new Promise<MailResult & { kind: "failed" }>((resolve) => {
    onError = (error) => resolve(explain(error, timeoutMs));
    connection.on("error", onError);
    timer = setTimeout(() => resolve(failed(explainTimeout(timeoutMs))), timeoutMs);
  });
  const done = work.catch((error: unknown) => explain(error, timeoutMs));
  const result = await Promise.race([done, ended]);
  clearTimeout(timer);
  connection.removeListener("error", onError);
  return result;
}

function explain(error: unknown, timeoutMs: number): MailResult & { kind: "failed" } {
  const response = textAt(error, "response");
  const rejected = valueAt(error, "rejectedErrors");
  const refused = Array.isArray(rejected) ? rejected.map(toRefusal) : [];
  if (!response) {
    const { cause, reason } = explainFailure(error, { who: "the mail server", timeoutMs });
    const isNamed = cause === "timeout" || reason.includes("mail server");
    return failed({ cause, reason: isNamed ? reason : `the mail server: ${reason}` });
  }
  const isSignIn = textAt(error, "code") === "EAUTH";
  const says = isSignIn ? "doesn't accept user or password" : "says";
  const reason = `the mail server ${says}: ${response}`;
  return { ...failed({ cause: isSignIn ? "credentials" : "other", reason }), refused };
}

function failed(failure: FailureReason): MailResult & { kind: "failed" } {
  return { kind: "failed", refused: [], ...failure };
}

/** 5xx is for good (RFC 5321, 4.2.1): that mailbox does not exist or takes nothing. 4xx is a promise to take it later. */
function toRefusal(error: unknown): Refusal {
  const response = textAt(error, "response") ?? messageOf(error);
  const isForGood = (numberAt(error, "responseCode") ?? 0) >= 500;
  return { address: textAt(error, "recipient") ?? "", response, isForGood };
}
