// A real SMTP server on loopback that keeps what it gets, and answers as badly as the test says.
import type { AddressInfo } from "node:net";
import { SMTPServer } from "smtp-server";
import { createEventCollector } from "./event-collector.ts";

export type ReceivedMail = { from: string; to: string[]; source: string };

/** The outcome for a recipient or a message: nothing bad, a reply code with its words, or silence. */
export type MailReply = null | { code: number; text: string } | "silence";

export type MailServerDouble = Awaited<ReturnType<typeof openMailServer>>;

export async function openMailServer(options: { user?: { name: string; password: string } } = {}) {
  const { user } = options;
  const mails = createEventCollector<ReceivedMail>("e-mails");
  let onRecipient: (address: string) => MailReply = () => null;
  let onMessage: () => MailReply = () => null;
  let connectionCount = 0;
  const server = new SMTPServer({
    authOptional: user === undefined,
    // Loopback: the connection is local, and a certificate would prove nothing.
    allowInsecureAuth: true,
    disabledCommands: ["STARTTLS"],
    onConnect(_session, callback) {
      connectionCount += 1;
      callback();
    },
    onAuth({ username, password }, _session, callback) {
      if (username === user?.name && password === user?.password) callback(null, { user: 1 });
      // Some servers repeat what they refuse.
      else callback(new Error(`invalid login ${btoa(`\0${username}\0${password}`)}`));
    },
    onRcptTo({ address }, _session, callback) {
      answer(onRecipient(address), callback);
    },
    onData(stream, session, callback) {
      const chunks: Buffer[] = [];
      stream.on("data", (chunk: Buffer) => chunks.push(chunk));
      stream.on("end", () => {
        const reply = onMessage();
        const { mailFrom, rcptTo } = session.envelope;
        const from = mailFrom ? mailFrom.address : "";
        const to = rcptTo.map(({ address }) => address);
        if (reply === null) mails.add({ from, to, source: Buffer.concat(chunks).toString("utf8") });
        answer(reply, callback);
      });
    },
  });
  // Connections that a test cuts are expected.
  server.on("error", () => {});
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.server.address() as AddressInfo;
  return {
    port,
    mails: mails.items,
    connectionCount: () => connectionCount,
    waitFor: (count: number) => mails.waitFor(count),
    replyTo(next: { recipient?: (address: string) => MailReply; message?: () => MailReply }) {
      onRecipient = next.recipient ?? (() => null);
      onMessage = next.message ?? (() => null);
    },
    close: () => new Promise<void>((resolve) => server.close(() => resolve())),
  };
}

function answer(reply: MailReply, callback: (error?: Error | null) => void): void {
  if (reply === "silence") return;
  if (reply === null) callback();
  else callback(Object.assign(new Error(reply.text), { responseCode: reply.code }));
}

/** The parts of a message by their type, decoded. */
export function readParts(source: string): { headers: string; html: string; text: string } {
  const [headers = ""] = source.split("\r\n\r\n", 1);
  const boundary = /boundary="?([^"\r\n;]+)"?/.exec(headers)?.[1] ?? "";
  const parts = source.split(`--${boundary}`).slice(1);
  const find = (type: string): string => {
    const part = parts.find((one) => one.includes(`Content-Type: ${type}`)) ?? "";
    const at = part.indexOf("\r\n\r\n");
    const body = part.slice(at + 4);
    const isBase64 = /Transfer-Encoding: base64/i.test(part.slice(0, at));
    return isBase64 ? Buffer.from(body, "base64").toString("utf8") : decodeQuoted(body);
  };
  return { headers: unfold(headers), html: find("text/html"), text: find("text/plain") };
}

function unfold(headers: string): string {
  return headers.replace(/\r\n[ \t]+/g, " ");
}

function decodeQuoted(body: string): string {
  const joined = body.replace(/=\r\n/g, "");
  const bytes = joined.replace(/=([0-9A-F]{2})/g, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
  return Buffer.from(bytes, "latin1").toString("utf8").replaceAll("\r\n", "\n");
}
