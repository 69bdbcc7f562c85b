// The workspace that the page's URL names, and the hooks that read and change things in it.
import {
  keepPreviousData,
  type UseQueryResult,
  useMutation,
  useQuery,
  useQueryClient,
} from "@tanstack/react-query";
import { createContext, useContext } from "react";
import type { RouteName } from "../../../src/app/dashboard-routes.ts";
import type { MyWorkspace, SignedIn } from "../../../src/dashboard-api/contract/session.ts";
import {
  beginWith,
  callApi,
  type RequestInput,
  type RouteResponse,
  routeUrl,
} from "./api-client.ts";
import { recovery } from "./recovery.ts";

export type WorkspaceContextValue = { session: SignedIn; workspace: MyWorkspace };

export const WorkspaceContext = createContext<WorkspaceContextValue | null>(null);

/** @throws outside of a workspace's pages */
export function useWorkspace(): WorkspaceContextValue & { isOwner: boolean; isViewer: boolean } {
  const value = useContext(WorkspaceContext);
  if (!value) throw new Error("useWorkspace was called outside of WorkspaceContext");
  const { role } = value.workspace;
  return { ...value, isOwner: role === "owner", isViewer: role === "viewer" };
}

export type WorkspaceInput<Name extends RouteName> = RequestInput<Name, "workspace">;
type QueryOptions<Data> = {
  /** Fetch again at this interval while the page is visible, which may depend on what came; false: only once. */
  refetchEveryMs?: number | false | ((data: Data | undefined) => number | false);
  isDisabled?: boolean;
  /** Show the data of the query before while the next is fetched. */
  keepPrevious?: boolean;
};

/** The response of a route, shared by all components that read the same. */
export function useApiQuery<Name extends RouteName>(
  name: Name,
  input: WorkspaceInput<Name>,
  options: QueryOptions<RouteResponse<Name>> = {},
): UseQueryResult<RouteResponse<Name>> {
  const { workspace } = useWorkspace();
  const { refetchEveryMs = false } = options;
  return useQuery<RouteResponse<Name>>({
    queryKey: [workspace.id, name, input],
    queryFn: ({ signal }) => callApi(name, withWorkspace(input, workspace.id), signal),
    ...beginWith(name, withWorkspace(input, workspace.id)),
    enabled: !options.isDisabled,
    refetchInterval: ({ state }) =>
      typeof refetchEveryMs === "function" ? refetchEveryMs(state.data) : refetchEveryMs,
    ...(options.keepPrevious ? { placeholderData: keepPreviousData } : {}),
  });
}

/** Calls a route that changes something, then refetches the queries of the `affected` routes. */
export function useApiMutation<Name extends RouteName>(
  name: Name,
  affected: readonly RouteName[] = [],
) {
  const { workspace } = useWorkspace();
  const client = useQueryClient();
  return useMutation<RouteResponse<Name>, Error, WorkspaceInput<Name>>({
    mutationFn: (input) => callApi(name, withWorkspace(input, workspace.id)),
    onSuccess: async () => {
      // The change is saved, also if the service can't be read afterwards.
      await Promise.race([
        recovery.nextFailure(),
        Promise.all(
          affected.map((route) => client.invalidateQueries({ queryKey: [workspace.id, route] })),
        ),
      ]);
    },
  });
}

/** The URL of the read API. The service names only its path if no public URL is configured. */
export function usePublicApiUrl(): string {
  return new URL(useWorkspace().session.apiUrl, window.location.origin).href;
}

/** Makes the URLs of this workspace's routes, for links and images. */
export function useRouteUrl() {
  const { workspace } = useWorkspace();
  return <Name extends RouteName>(name: Name, input: WorkspaceInput<Name>) =>
    routeUrl(name, withWorkspace(input, workspace.id));
}

export function withWorkspace<Name extends RouteName>(
  input: WorkspaceInput<Name>,
  workspace: string,
) {
  const { path } = input as { path?: object };
  // The type system can't follow that a path without `:workspace`, completed by it, is the whole path.
  return { ...(input as object), path: { ...path, workspace } } as unknown as RequestInput<Name>;
}
