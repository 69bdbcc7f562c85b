// Leads to the sign-in provider, which leads back to the page that was open.
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

type ProviderButtonProps = {
  label?: string;
  kind?: "plain" | "primary";
  /** Token of the invitation to accept. */
  invitation?: string | null;
  /** Has the provider ask the user again, although it knows them. */
  isFresh?: boolean;
};

export function ProviderButton(props: ProviderButtonProps) {
  const { label = "Continue with single sign-on", kind = "plain" } = props;
  const { invitation = null, isFresh = false } = props;
  const start = useMutation({
    mutationFn: () => {
      const { pathname, search } = window.location;
      // An invitation's own page has nothing to show afterwards.
      const returnTo = invitation === null ? `${pathname}${search}` : "/";
      return callApi("POST /session/provider", { body: { returnTo, invitation, isFresh } });
    },
    onSuccess: ({ url }) => window.location.assign(url),
  });
  return (
    <>
      {start.isError ? <ErrorAlert error={start.error} /> : null}
      <Button kind={kind} busy={start.isPending || start.isSuccess} onClick={() => start.mutate()}>
        {label}
      </Button>
    </>
  );
}
