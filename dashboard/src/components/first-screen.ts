// The first screen is drawn before the rest when the dashboard is opened: on a slow computer the whole takes half a second.
import { startTransition, useEffect, useState } from "react";

let isOpening = true;

/**
 * Whether only the first screen is to be drawn yet. The pages after the first one are drawn at once, so that the browser
 * finds the place again when the user goes back.
 */
export function useFirstScreen(): boolean {
  const [isFirst, setFirst] = useState(isOpening);
  useEffect(() => {
    isOpening = false;
    startTransition(() => setFirst(false));
  }, []);
  return isFirst;
}
