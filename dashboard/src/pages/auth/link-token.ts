// The token of a set-up or invitation link. It stands in the fragment, which no server sees, and leaves the
// address bar as soon as it was read.
import { useEffect, useState } from "react";

export function useLinkToken(): string {
  const [token] = useState(() => window.location.hash.slice(1));
  useEffect(() => {
    // Router and history stay on the same page: only the fragment goes.
    window.history.replaceState(null, "", window.location.pathname);
  }, []);
  return token;
}
