import { expect, test } from "vitest";
import { systemClock } from "../../lib/clock.ts";
import type { Http } from "../../lib/http.ts";
import { createOpenIdProvider } from "./open-id.ts";

test("a provider that can't be reached fails a sign-in with its sentence, once", async () => {
  const detail = "the connection was refused";
  const http: Http = async ({ url }) => ({ kind: "failed", reason: "network", detail, url });
  const provider = createOpenIdProvider(
    { clock: systemClock, http },
    {
      issuer: "https://login.example.com",
      clientId: "starpost",
      clientSecret: null,
      clientAuth: "auto",
      scopes: "openid",
      redirectUrl: "https://reviews.example.com/auth/oidc/callback",
    },
  );
  const attempt = { state: "s", nonce: "n", codeVerifier: "v" };
  expect(await provider.finish("?code=c&state=s", attempt)).toEqual({ failure: detail });
});
