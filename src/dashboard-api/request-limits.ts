// How often the dashboard's API may be called: by clients that are not signed in, for each session, and for costly
// routes for each resource that they are about.
import { RateLimitedError } from "../domain/error.ts";
import { ipPrefix } from "../http/client-ip.ts";
import type { OpenRateLimit, RateLimit } from "../http/rate-limit.ts";
import type { DashboardRoute, RouteLimit } from "./dashboard-route.ts";
import type { SignedInUser } from "./session/sessions.ts";

/** Bodies from one network without a session: sign-ins and links of a whole office fit. */
const anonymousPerMinute = 60;

export function createRequestLimits(
  openRateLimit: OpenRateLimit,
  sessionRequestsPerMinute: number,
) {
  const anonymous = openRateLimit({ name: "anonymous", perMinute: anonymousPerMinute });
  const sessions = openRateLimit({ name: "session", perMinute: sessionRequestsPerMinute });
  const byName = new Map<string, RateLimit>();

  function counterOf(name: string, { perMinute }: RouteLimit): RateLimit {
    const known = byName.get(name) ?? openRateLimit({ name, perMinute });
    byName.set(name, known);
    return known;
  }

  return {
    /** @throws RateLimitedError */
    async take(request: {
      route: DashboardRoute;
      me: SignedInUser | null;
      address: string;
      params: Record<string, string>;
    }): Promise<void> {
      const { route, me, address, params } = request;
      if (me) await takeFrom(sessions, me.session.id);
      else if (route.body) await takeFrom(anonymous, ipPrefix(address));
      for (const limit of route.limits ?? []) {
        const name = limit.group ?? `${route.name} ${limit.by}`;
        await takeFrom(counterOf(name, limit), params[limit.by] ?? "");
      }
    },
  };
}

/** @throws RateLimitedError */
export async function takeFrom(limit: RateLimit, key: string): Promise<void> {
  const { accepted, resetSeconds } = await limit.take(key);
  if (!accepted) throw new RateLimitedError("too many requests: wait a while", resetSeconds);
}
