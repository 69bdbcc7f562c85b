// The session: fetched once when the page opens, and replaced by signing in or out.
import { QueryClient, type UseQueryResult, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import type { Session } from "../../../src/dashboard-api/contract/session.ts";
import { beginWith, callApi } from "./api-client.ts";
import { RequestError } from "./http-request.ts";
import { waitForUser } from "./reauthentication.ts";
import { recovery } from "./recovery.ts";
import { forgetUnsavedTexts } from "./unsaved-texts.ts";

const sessionKey = ["session"];

export function useSession(): UseQueryResult<Session> {
  const client = useQueryClient();
  return useQuery<Session>({
    queryKey: sessionKey,
    queryFn: async ({ signal }) => {
      const session = await callApi("GET /session", {}, signal);
      const before = client.getQueryData<Session>(sessionKey);
      const hasEnded = session.state === "signed_out" && before?.state === "signed_in";
      return hasEnded && (await waitForUser("session"))
        ? callApi("GET /session", {}, signal)
        : session;
    },
    ...beginWith("GET /session", {}),
    staleTime: 5 * 60_000,
  });
}

/** Sets the session of a user, and forgets all data of another user before. */
export function useReplaceSession(): (session: Session) => void {
  const client = useQueryClient();
  return (session) => {
    const before = client.getQueryData<Session>(sessionKey);
    if (userIdOf(before) !== userIdOf(session))
      client.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== sessionKey[0] });
    if (session.state === "signed_out") forgetUnsavedTexts();
    client.setQueryData(sessionKey, session);
  };
}

function userIdOf(session: Session | undefined): string | null {
  return session?.state === "signed_in" ? session.user.id : null;
}

/** Sets the session after a change of the same user, such as a new name. */
export function useUpdateSession(): (session: Session) => void {
  const client = useQueryClient();
  return (session) => client.setQueryData(sessionKey, session);
}

const signedOutKey = "starpost-signed-out";
/** Set by start.js. */
const signedInKey = "starpost-signed-in";

/** A user signs out of all tabs, so that none keeps their data. */
export function useSignedOutElsewhere(): void {
  const replaceSession = useReplaceSession();
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for the page
  useEffect(() => {
    const onStorage = ({ key }: StorageEvent) =>
      key === signedOutKey && replaceSession({ state: "signed_out" });
    window.addEventListener("storage", onStorage);
    return () => window.removeEventListener("storage", onStorage);
  }, []);
}

export function useSignOut(): () => Promise<void> {
  const replaceSession = useReplaceSession();
  return async () => {
    await callApi("POST /session/sign-out", {});
    replaceSession({ state: "signed_out" });
    localStorage.removeItem(signedInKey);
    localStorage.setItem(signedOutKey, String(Date.now()));
  };
}

/** When any request finds that the session has ended or needs a second factor, the page for it is shown. */
export function createQueryClient(): QueryClient {
  const client = new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: 15_000,
        // All attempts are made in one place, also those that wait for a connection.
        retry: false,
        networkMode: "always",
        refetchOnReconnect: true,
        persister: (read, context, query) =>
          recovery.run({
            key: query.queryHash,
            attempt: async () => read(context),
            signal: context.signal,
          }),
      },
    },
  });
  const onError = (error: unknown) => {
    if (!(error instanceof RequestError)) return;
    // An owner required it while the page was open: the session says where the user has to go first.
    if (error.code === "second_factor_required") {
      void client.invalidateQueries({ queryKey: sessionKey });
    }
    if (error.status !== 401) return;
    client.setQueryData<Session>(sessionKey, (session) =>
      session?.state === "signed_in" ? { state: "signed_out" } : session,
    );
  };
  client.getQueryCache().config.onError = onError;
  client.getMutationCache().config.onError = onError;
  return client;
}
