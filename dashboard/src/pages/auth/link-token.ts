// The token of a set-up or invitation link. It is in the URL's fragment, which browsers send to no server,
// and is removed from the address bar once it was read.
import { useEffect, useState } from "react";

export function useLinkToken(): string {
  const [token] = useState(() => window.location.hash.slice(1));
  useEffect(() => {
    window.history.replaceState(null, "", window.location.pathname);
  }, []);
  return token;
}
