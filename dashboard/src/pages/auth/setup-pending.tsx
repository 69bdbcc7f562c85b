// What stands at the door of a new installation: where its key is.
import { Entrance } from "./auth-page.tsx";

export function Unclaimed() {
  return (
    <Entrance title="Welcome to Starpost">
      <p>
        Nobody has an account here yet. The service wrote a one-time set-up link into its log when
        it started: open it to create the first account and workspace.
      </p>
      <p>
        The operator can also set <code>ADMIN_EMAIL</code> and <code>ADMIN_PASSWORD</code> and start
        the service again.
      </p>
    </Entrance>
  );
}
