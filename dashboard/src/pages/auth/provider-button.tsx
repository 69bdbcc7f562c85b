// Leads to the sign-in provider once more, which leads back to the page that was open.
import { useMutation, useQuery } from "@tanstack/react-query";
import type { SignInWays } from "../../../../src/dashboard-api/contract/session.ts";
import { callApi } from "../../api/api-client.ts";
import { Button } from "../../components/button.tsx";
import { ErrorAlert } from "../../components/feedback.tsx";

/** How people sign in to this service; undefined until it is known, and passwords where that fails. */
export function useSignInWays(): SignInWays | undefined {
  const query = useQuery({
    queryKey: ["sign-in-ways"],
    queryFn: () => callApi("GET /session/ways", {}),
    staleTime: Number.POSITIVE_INFINITY,
  });
  return query.isError ? { hasPasswords: true, hasProvider: false } : query.data;
}

/** Has the provider ask the user again, although it knows them. */
export function ProviderButton() {
  const start = useMutation({
    mutationFn: () => {
      const { pathname, search } = window.location;
      const body = { returnTo: `${pathname}${search}`, invitation: null, isFresh: true };
      return callApi("POST /session/provider", { body });
    },
    onSuccess: ({ url }) => window.location.assign(url),
  });
  return (
    <>
      {start.isError ? <ErrorAlert error={start.error} /> : null}
      <Button
        kind="primary"
        busy={start.isPending || start.isSuccess}
        onClick={() => start.mutate()}
      >
        Continue with single sign-on
      </Button>
    </>
  );
}
