// The way to the provider.
import { type DashboardRoute, routesOf } from "../../dashboard-api/dashboard-route.ts";
import { attemptMs } from "../../dashboard-api/session/cookies.ts";
import { AppError } from "../../domain/error.ts";
import { providerStart, sealAttempt } from "./attempt.ts";
import type { SingleSignOnRoutes } from "./contract.ts";
import { providerOf } from "./provider.ts";

const { route } = routesOf<SingleSignOnRoutes>();

export const singleSignOnRoutes: readonly DashboardRoute[] = [
  route("POST /session/provider", {
    access: "anyone",
    body: providerStart,
    async handle({ deps, body, cookies }) {
      const provider = providerOf(deps);
      const { clock, secretBox, log } = deps;
      if (!provider) throw new AppError("not_found", "single sign-on is not set up");
      const { isFresh, ...kept } = body;
      try {
        const { url, attempt } = await provider.openId.begin({ isFresh });
        const sealed = { ...kept, attempt, lastsMs: attemptMs };
        cookies.write("attempt", sealAttempt({ clock, secretBox }, sealed));
        return { url };
      } catch (error) {
        log.error({ reason: String(error) }, "the sign-in provider can't be reached");
        throw new AppError("unavailable", "the sign-in provider can't be reached: try again later");
      }
    },
  }),
];
