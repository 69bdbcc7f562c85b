// A mail server that breaks where a test says, and counts how often it is used: each e-mail that is begun, and each connection
// on which none is.
import { once } from "node:events";
import net from "node:net";

export const mailStages = ["greeting", "EHLO", "MAIL", "RCPT", "DATA", "message"] as const;
export type MailStage = (typeof mailStages)[number];

export const mailFaults = {
  "closes the connection": (socket) => socket.end(),
  "resets the connection": (socket) => socket.resetAndDestroy(),
  "closes within a reply": (socket) => socket.end("25"),
  "says something else": (socket) => socket.write("HTTP/1.1 400 Bad Request\r\n\r\n"),
  "says a megabyte": (socket) => socket.write(`250-${"x".repeat(1_000_000)}\r\n`),
  "closes with 421": (socket) => socket.end("421 4.3.2 shutting down\r\n"),
  "puts off": (socket) => socket.write("451 4.3.0 later\r\n"),
  "refuses for good": (socket) => socket.write("550 5.7.1 no\r\n"),
  "says nothing": () => {},
} as const satisfies Record<string, (socket: net.Socket) => void>;
export type MailFault = keyof typeof mailFaults;

type Faulty = {
  stage: MailStage;
  fault: MailFault;
  delayMs: number;
  /** How many e-mails of each connection go well before. */
  goodCount: number;
};

const replies: Readonly<Record<MailStage, string>> = {
  greeting: "220 mail.example ESMTP",
  EHLO: "250 mail.example",
  MAIL: "250 2.1.0 ok",
  RCPT: "250 2.1.5 ok",
  DATA: "354 go ahead",
  message: "250 2.0.0 queued",
};

/** Without a fault, each e-mail is taken. */
export async function openFaultyMailServer(faulty: Faulty | null = null) {
  const sockets = new Set<net.Socket>();
  const lines: string[] = [];
  let useCount = 0;
  const server = net.createServer((socket) => {
    sockets.add(socket);
    let mailCount = 0;
    socket.on("close", () => sockets.delete(socket));
    socket.on("error", () => {});
    useCount += 1;
    const answer = (stage: MailStage): void => {
      const isFaulty = faulty?.stage === stage && mailCount >= faulty.goodCount;
      const send = (): void => {
        if (isFaulty) mailFaults[faulty.fault](socket);
        else if (!socket.destroyed) socket.write(`${replies[stage]}\r\n`);
      };
      if (isFaulty && faulty.delayMs > 0) setTimeout(send, faulty.delayMs);
      else send();
    };
    let isMessage = false;
    let rest = "";
    socket.on("data", (chunk) => {
      const parts = (rest + chunk.toString("utf8")).split("\r\n");
      rest = parts.pop() ?? "";
      for (const line of parts) {
        if (isMessage) {
          if (line !== ".") continue;
          isMessage = false;
          answer("message");
          mailCount += 1;
          continue;
        }
        lines.push(line);
        const stage = mailStages.find((one) => line.toUpperCase().startsWith(one));
        // The first e-mail and its connection are one use.
        if (stage === "MAIL" && mailCount > 0) useCount += 1;
        if (stage === "DATA") isMessage = faulty?.stage !== "DATA" || mailCount < faulty.goodCount;
        if (stage) answer(stage);
        else if (/^(HELO|RSET|NOOP|QUIT)/i.test(line)) socket.write("250 ok\r\n");
      }
    });
    answer("greeting");
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as net.AddressInfo;
  return {
    port,
    useCount: () => useCount,
    /** Commands of all connections, without messages. */
    lines,
    async close() {
      const closed = once(server, "close");
      server.close();
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}
