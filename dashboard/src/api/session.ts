// Who is signed in: asked once when the page opens, and put in place by whatever signs in or out.
import { QueryClient, type UseQueryResult, useQuery, useQueryClient } from "@tanstack/react-query";
import type { Session } from "../../../src/dashboard-api/contract/session.ts";
import { call } from "./api-client.ts";
import { RequestError } from "./http-request.ts";

const sessionKey = ["session"];

export function useSession(): UseQueryResult<Session> {
  return useQuery<Session>({
    queryKey: sessionKey,
    queryFn: ({ signal }) => call("GET /session", {}, signal),
    staleTime: 5 * 60_000,
  });
}

/** Takes what a sign-in answered; everything of the person before is forgotten. */
export function useEnter(): (session: Session) => void {
  const client = useQueryClient();
  return (session) => {
    client.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== sessionKey[0] });
    client.setQueryData(sessionKey, session);
  };
}

/** Takes a new name or workspace of the same person. */
export function useSessionUpdate(): (session: Session) => void {
  const client = useQueryClient();
  return (session) => client.setQueryData(sessionKey, session);
}

export function useSignOut(): () => Promise<void> {
  const enter = useEnter();
  return async () => {
    await call("POST /session/sign-out", {});
    enter({ state: "signed_out" });
  };
}

/** A session that ended meanwhile leads back to the sign-in page, whichever request met it first. */
export function newQueryClient(): QueryClient {
  const client = new QueryClient({
    defaultOptions: {
      queries: { retry: (count, error) => count < 2 && isPassing(error), staleTime: 15_000 },
    },
  });
  const onFailure = (error: unknown) => {
    if (!(error instanceof RequestError) || error.status !== 401) return;
    client.setQueryData<Session>(sessionKey, (known) =>
      known?.state === "signed_in" ? { state: "signed_out" } : known,
    );
  };
  client.getQueryCache().config.onError = onFailure;
  client.getMutationCache().config.onError = onFailure;
  return client;
}

function isPassing(error: unknown): boolean {
  return error instanceof RequestError && (error.status === 0 || error.status >= 502);
}
