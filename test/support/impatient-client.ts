// A client that leaves soon: it closes its connection, whatever was answered.
import http from "node:http";

export type Sent = { method?: string; headers?: Record<string, string>; body?: string };

export function sendImpatiently(
  url: string,
  { method = "GET", headers = {}, body, patienceMs }: Sent & { patienceMs: number },
): Promise<void> {
  return new Promise((resolve) => {
    const request = http.request(url, { method, headers });
    const timer = setTimeout(() => request.destroy(), patienceMs);
    request.on("response", (response) => response.resume());
    request.on("error", () => {});
    request.on("close", () => {
      clearTimeout(timer);
      resolve();
    });
    request.end(body);
  });
}
