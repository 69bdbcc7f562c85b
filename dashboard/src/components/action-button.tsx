// A button that calls a route of the workspace and reports the result in a toast.
import type { ReactNode } from "react";
import type { RouteName } from "../../../src/app/dashboard-routes.ts";
import type { RouteResponse } from "../api/api-client.ts";
import { describeError } from "../api/http-request.ts";
import { useApiMutation, type WorkspaceInput } from "../api/workspace.ts";
import { Button } from "./button.tsx";
import { useToast } from "./toast.tsx";

type ActionButtonProps<Name extends RouteName> = {
  route: Name;
  input: WorkspaceInput<Name>;
  /** The routes to refetch afterwards. */
  affected?: readonly RouteName[];
  /** Without it, only a failure is reported. */
  successMessage?: (response: RouteResponse<Name>) => string;
  small?: boolean;
  isDisabled?: boolean;
  children: ReactNode;
};

export function ActionButton<Name extends RouteName>(props: ActionButtonProps<Name>) {
  const {
    route,
    input,
    affected = [],
    successMessage,
    small = false,
    isDisabled = false,
    children,
  } = props;
  const showToast = useToast();
  const action = useApiMutation(route, affected);
  // Callbacks of `mutate` are not called once the button is gone, which the refetched list may have left out.
  const run = () =>
    action.mutateAsync(input).then(
      (response) => successMessage && showToast(successMessage(response)),
      (error: unknown) => showToast(describeError(error)),
    );
  return (
    <Button small={small} busy={action.isPending} disabled={isDisabled} onClick={() => void run()}>
      {children}
    </Button>
  );
}
