// A value once it has not changed for a moment, so that not every key stroke sends a request.
import { useEffect, useState } from "react";

const debounceMs = 400;

export function useDebounced(value: string): string {
  const [debounced, setDebounced] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setDebounced(value), debounceMs);
    return () => clearTimeout(timer);
  }, [value]);
  return debounced;
}
