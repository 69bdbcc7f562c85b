// The settings of webhooks and other channels: part of the schema in config.ts.
import {
  httpUrl,
  isCidr,
  isHostName,
  listOf,
  optional,
  sender,
  smtpUrl,
  wholeNumber,
  yesOrNo,
} from "./setting-fields.ts";

/** By the name in the environment. */
export const deliverySettings = {
  WEBHOOK_ALLOW_HTTP: yesOrNo()
    .default(false)
    .describe("Whether channels may use http:// beside https://."),
  WEBHOOK_ALLOWED_CIDRS: listOf("networks like 10.1.0.0/16", isCidr)
    .default([])
    .describe("Private networks that channels may reach, e.g. `10.1.0.0/16`, with commas."),
  WEBHOOK_TIMEOUT_MS: wholeNumber({ min: 100, max: 120_000 })
    .default(10_000)
    .describe("Total deadline of one delivery attempt, in milliseconds."),
  WEBHOOK_CYCLE_SECONDS: wholeNumber({ min: 1, max: 3_600 })
    .default(60)
    .describe("Seconds until the first retry; doubles up to an hour."),
  WEBHOOK_GIVE_UP_DAYS: wholeNumber({ min: 1, max: 90 })
    .default(7)
    .describe("Days after which a delivery expires."),
  WEBHOOK_SECRET_OVERLAP_HOURS: wholeNumber({ min: 0, max: 720 })
    .default(24)
    .describe(
      "Hours after a rotation in which `webhook-signature` also carries the signature by the old secret.",
    ),
  CHANNEL_HOSTS: listOf("hosts like chat.example.com", isHostName)
    .default([])
    .describe(
      "Hosts that channels of chat services may use beside the services' own, with commas; a leading dot matches all hosts below it.",
    ),
  TELEGRAM_BASE_URL: httpUrl()
    .default("https://api.telegram.org")
    .describe(
      "Base of Telegram's bot API; its host must be in CHANNEL_HOSTS unless it is Telegram's.",
    ),
  SMTP_URL: optional(smtpUrl()).meta({
    description:
      "The mail server of e-mail channels, invitations and new passwords, like `smtps://user:password@mail.example.com`; `smtp://` uses STARTTLS.",
    isSecret: true,
  }),
  EMAIL_FROM: optional(sender()).describe(
    "Sender of e-mails, like `Starpost <starpost@example.com>`.",
  ),
  EMAIL_ALLOWED_DOMAINS: listOf("domains like example.com", isHostName)
    .default([])
    .describe("Domains that e-mail channels may send to, with commas; all by default."),
  DELIVERY_RETENTION_DAYS: wholeNumber({ min: 1, max: 3_650 })
    .default(30)
    .describe("Days that finished deliveries stay in the log."),
  EDIT_EVENT_DAYS: wholeNumber({ min: 1, max: 36_500 })
    .default(400)
    .describe("Days after a review went to a channel in which an edit of it goes there too."),
};
