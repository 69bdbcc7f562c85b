// The settings of how people sign in: part of the schema in config.ts.
import { z } from "zod";
import {
  headerToken,
  httpUrl,
  isHostName,
  line,
  listOf,
  oneOf,
  optional,
  roleMap,
  wholeNumber,
  yesOrNo,
} from "./setting-fields.ts";

/** By the name in the environment. */
export const signInSettings = {
  PASSWORD_SIGN_IN: yesOrNo()
    .default(true)
    .describe("Whether people sign in with passwords; `false` leaves OIDC_ISSUER as the only way."),
  OIDC_ISSUER: optional(httpUrl()).describe(
    "Issuer of an OpenID Connect provider to sign in through, like `https://login.example.com/realms/team`; needs PUBLIC_URL.",
  ),
  OIDC_CLIENT_ID: optional(line("a client id")).describe(
    "The client that the provider knows Starpost by.",
  ),
  OIDC_CLIENT_SECRET: optional(headerToken()).meta({
    description: "The secret of that client; without one it is a public client, protected by PKCE.",
    isSecret: true,
  }),
  OIDC_SCOPES: line("scopes")
    .default("openid email profile")
    .describe("Scopes that are requested; some providers need one more for groups."),
  OIDC_SIGN_UP: oneOf(["invitation", "viewer", "member"])
    .default("invitation")
    .describe(
      "How people without an account get one: by `invitation`, or with this role in OIDC_WORKSPACE at their first sign-in: `viewer` or `member`.",
    ),
  OIDC_WORKSPACE: optional(z.uuid({ error: "the id of a workspace" })).describe(
    "The workspace of OIDC_SIGN_UP and OIDC_ROLES; the oldest by default.",
  ),
  OIDC_ALLOWED_DOMAINS: listOf("domains like example.com", isHostName)
    .default([])
    .describe("Domains whose verified addresses may sign in, with commas; all by default."),
  OIDC_ROLE_CLAIM: line("the name of a claim")
    .default("groups")
    .describe("The claim that OIDC_ROLES looks at: a text or a list of texts."),
  OIDC_ROLES: roleMap()
    .default([])
    .describe(
      "Roles by values of that claim, like `admins=owner,staff=member`; set again at every sign-in. People without any of them are refused.",
    ),
  OIDC_SESSION_HOURS: wholeNumber({ min: 1, max: 720 })
    .default(12)
    .describe(
      "Hours until people who came through the provider have to do so again: a removed person is out after this time.",
    ),
};
