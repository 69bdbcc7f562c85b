// Mail servers.
import fs from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { freePort, sendTest, waitFor, withService } from "./service.mjs";
import {
  assert,
  makeCertificate,
  openFolder,
  python,
  root,
  run,
  Unavailable,
  unpackDebian,
  whileRunning,
} from "./tools.mjs";

/** The line of `starpost doctor` about the mail server at this port. */
async function lookAtMail(folder, port, more = {}) {
  const env = {
    ...{ ...process.env, DATA_DIR: folder, PORT: "0", EMAIL_FROM: "starpost@example.com" },
    ...{ SMTP_URL: `smtp://127.0.0.1:${port}`, ...more },
  };
  const cli = path.join(root, "dist/src/cli.js");
  const output = await run(process.execPath, [cli, "doctor", "--json"], { env }).catch(
    // It ends with 1 where stores can't be reached.
    (error) => error.cause.stdout,
  );
  return JSON.parse(output).find(({ check }) => check === "mail server");
}

export const parts = [
  {
    name: "OpenSMTPD, greeted",
    async run() {
      const program = "/usr/sbin/smtpd";
      await fs.access(program).catch(() => {
        throw new Unavailable(`${program} is missing (Debian: opensmtpd)`);
      });
      if (process.getuid() !== 0) throw new Unavailable("OpenSMTPD can be started by root alone");
      const folder = await openFolder("opensmtpd");
      const port = await freePort();
      const config = path.join(folder, "smtpd.conf");
      const lines = [`listen on 127.0.0.1 port ${port}`, 'action "relay" relay'];
      await fs.writeFile(config, `${lines.join("\n")}\nmatch from local for any action "relay"\n`);
      await whileRunning({ program, args: ["-d", "-f", config], port }, async () => {
        const found = await lookAtMail(folder, port);
        assert(found.state === "ok" && /greets/.test(found.detail), found.detail);
      });
      const usage = await run(program, ["-h"]).catch((error) => error.message);
      return /OpenSMTPD ([\w.]+)/.exec(usage)?.[1];
    },
  },
  {
    name: "aiosmtpd with TLS: a certificate that no authority has signed is named, and can be trusted",
    async run() {
      const tools = await python("aiosmtpd", ["aiosmtpd"]);
      const folder = await openFolder("aiosmtpd");
      const { key, cert } = await makeCertificate(folder);
      const port = await freePort();
      const code = `
import ssl, time
from aiosmtpd.controller import Controller
from aiosmtpd.handlers import Sink
context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
context.load_cert_chain("${cert}", "${key}")
Controller(Sink(), hostname="127.0.0.1", port=${port}, tls_context=context, require_starttls=True).start()
time.sleep(60)
`;
      await whileRunning({ program: tools.bin("python"), args: ["-c", code], port }, async () => {
        const refused = await lookAtMail(folder, port);
        assert(/certificate is self-signed/.test(refused.detail), refused.detail);
        const trusted = await lookAtMail(folder, port, { NODE_EXTRA_CA_CERTS: cert });
        assert(trusted.state === "ok", trusted.detail);
      });
      return tools.version("aiosmtpd");
    },
  },
  {
    name: "Postfix without SMTPUTF8: TLS, names with umlauts, an unknown recipient",
    async run() {
      if (process.getuid() !== 0) throw new Unavailable("Postfix can be started by root alone");
      const folder = await fs.mkdtemp(path.join(os.tmpdir(), "starpost-postfix-"));
      try {
        await fs.chmod(folder, 0o755);
        return await checkPostfix(folder);
      } finally {
        await fs.rm(folder, { recursive: true, force: true });
      }
    },
  },
];

/** Debian installs one mail server alone, so its package is unpacked beside OpenSMTPD. */
async function checkPostfix(folder) {
  const program = await unpackDebian("postfix", folder);
  const { key, cert } = await makeCertificate(folder);
  const port = await freePort();
  const libraries = { LD_LIBRARY_PATH: path.join(program, "usr/lib/postfix") };
  const config = await writePostfix(folder, { program, port, key, cert });
  // It makes the folders of the queue.
  await run(path.join(program, "usr/sbin/postfix"), ["-c", config, "check"], {
    env: { ...process.env, ...libraries },
  });
  const daemon = path.join(program, "usr/lib/postfix/sbin/master");
  const args = ["-d", "-c", config];
  const settings = {
    ...{ SMTP_URL: `smtp://127.0.0.1:${port}`, NODE_EXTRA_CA_CERTS: cert },
    EMAIL_FROM: "Starpost <starpost@exämple.test>",
  };
  await whileRunning({ program: daemon, args, port, env: libraries }, () =>
    withService(settings, async (service) => {
      const email = ["--type", "email", "--to"];
      const [sent] = await sendTest(service, ...email, "ann@exämple.test");
      assert(sent.reason === null, `the mail server answers: ${sent.reason}`);
      const mailbox = path.join(folder, "mail/ann");
      await waitFor(async () => (await fs.stat(mailbox)).size > 0);
      const mail = await fs.readFile(mailbox, "latin1");
      assert(/^To: .*ann@xn--exmple-cua\.test/im.test(mail), mail.slice(0, 2_000));
      const [refused] = await sendTest(service, ...email, "nemo@exämple.test");
      assert(/550|unknown/i.test(refused.reason), `an unknown recipient: ${refused.reason}`);
    }),
  );
  const version = await run(
    path.join(program, "usr/sbin/postconf"),
    ["-c", config, "mail_version"],
    {
      env: { ...process.env, ...libraries },
    },
  );
  return version.split("=")[1];
}

async function writePostfix(folder, { program, port, key, cert }) {
  const config = path.join(folder, "config");
  for (const name of ["config", "spool", "data", "mail"]) await fs.mkdir(path.join(folder, name));
  await run("chown", ["news", path.join(folder, "data")]);
  await run("chown", ["nobody", path.join(folder, "mail")]);
  // The package is not installed: its owners are users of the system that run nothing else.
  const main = `
compatibility_level = 3.6
mail_owner = news
setgid_group = uucp
queue_directory = ${folder}/spool
data_directory = ${folder}/data
command_directory = ${program}/usr/sbin
daemon_directory = ${program}/usr/lib/postfix/sbin
shlib_directory = ${program}/usr/lib/postfix
meta_directory = ${program}/etc/postfix
import_environment = PATH LD_LIBRARY_PATH MAIL_CONFIG
export_environment = PATH LD_LIBRARY_PATH MAIL_CONFIG
maillog_file = ${folder}/log
maillog_file_prefixes = ${folder}
myhostname = mail.example.test
mydestination =
inet_interfaces = 127.0.0.1
inet_protocols = ipv4
smtputf8_enable = no
strict_rfc821_envelopes = yes
smtpd_tls_security_level = encrypt
smtpd_tls_cert_file = ${cert}
smtpd_tls_key_file = ${key}
virtual_mailbox_domains = xn--exmple-cua.test
virtual_mailbox_maps = inline:{ann@xn--exmple-cua.test=ann}
virtual_mailbox_base = ${folder}/mail
virtual_uid_maps = static:65534
virtual_gid_maps = static:65534
`;
  await fs.writeFile(path.join(config, "main.cf"), main);
  const master = `
127.0.0.1:${port} inet n - n - - smtpd
pickup unix n - n 60 1 pickup
cleanup unix n - n - 0 cleanup
qmgr unix n - n 300 1 qmgr
tlsmgr unix - - n 1000? 1 tlsmgr
rewrite unix - - n - - trivial-rewrite
bounce unix - - n - 0 bounce
defer unix - - n - 0 bounce
trace unix - - n - 0 bounce
proxymap unix - - n - - proxymap
error unix - - n - - error
retry unix - - n - - error
virtual unix - n n - - virtual
anvil unix - - n - 1 anvil
postlog unix-dgram n - n - 1 postlogd
`;
  await fs.writeFile(path.join(config, "master.cf"), master);
  return config;
}
