// The workspace that the page's address names, and the hooks that ask and change things in it.
import {
  keepPreviousData,
  type UseQueryResult,
  useMutation,
  useQuery,
  useQueryClient,
} from "@tanstack/react-query";
import { createContext, useContext } from "react";
import type { RouteName } from "../../../src/dashboard-api/contract/routes.ts";
import type { MyWorkspace, SignedIn } from "../../../src/dashboard-api/contract/session.ts";
import { type Answer, type Ask, addressOf, call } from "./api-client.ts";

export type Place = { session: SignedIn; workspace: MyWorkspace };

export const PlaceContext = createContext<Place | null>(null);

export function usePlace(): Place & { isOwner: boolean } {
  const place = useContext(PlaceContext);
  if (!place) throw new Error("this part of the page stands outside of a workspace");
  return { ...place, isOwner: place.workspace.role === "owner" };
}

type InWorkspace<Name extends RouteName> = Ask<Name, "workspace">;
type Reading = {
  /** Ask again every so often while the page is seen; false: only once. */
  everyMs?: number | false;
  isOff?: boolean;
  /** Show the answer before while the next one is fetched. */
  keepsBefore?: boolean;
};

/** What a route answers, kept and shared by all parts of the page that ask the same. */
export function useAnswer<Name extends RouteName>(
  name: Name,
  ask: InWorkspace<Name>,
  reading: Reading = {},
): UseQueryResult<Answer<Name>> {
  const { workspace } = usePlace();
  return useQuery<Answer<Name>>({
    queryKey: [workspace.id, name, ask],
    queryFn: ({ signal }) => call(name, filled(ask, workspace.id), signal),
    enabled: !reading.isOff,
    refetchInterval: reading.everyMs ?? false,
    ...(reading.keepsBefore ? { placeholderData: keepPreviousData } : {}),
  });
}

/** Changes something and then asks again for what it may have changed. */
export function useChange<Name extends RouteName>(
  name: Name,
  refreshed: readonly RouteName[] = [],
) {
  const { workspace } = usePlace();
  const client = useQueryClient();
  return useMutation<Answer<Name>, Error, InWorkspace<Name>>({
    mutationFn: (ask) => call(name, filled(ask, workspace.id)),
    onSuccess: async () => {
      const refreshing = refreshed.map((route) =>
        client.invalidateQueries({ queryKey: [workspace.id, route] }),
      );
      await Promise.all(refreshing);
    },
  });
}

/** Where the read API is. The service names a path alone when it was not told its public address. */
export function useApiUrl(): string {
  return new URL(usePlace().session.apiUrl, window.location.origin).href;
}

/** The address of a route of this workspace, for links and images. */
export function useAddress() {
  const { workspace } = usePlace();
  return <Name extends RouteName>(name: Name, ask: InWorkspace<Name>) =>
    addressOf(name, filled(ask, workspace.id));
}

export function filled<Name extends RouteName>(ask: InWorkspace<Name>, workspace: string) {
  const { path } = ask as { path?: object };
  // The type can't follow that a path without `:workspace`, completed by it, is the whole path.
  return { ...(ask as object), path: { ...path, workspace } } as unknown as Ask<Name>;
}
