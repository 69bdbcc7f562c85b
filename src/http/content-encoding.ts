// Chooses how a response is compressed, by the client's Accept-Encoding header.

/** In our order of preference. */
export const contentEncodings = ["br", "gzip"] as const;
export type ContentEncoding = (typeof contentEncodings)[number];

/** The best of what the client accepts; null for no compression. By RFC 9110, 12.5.3. */
export function chooseEncoding(acceptEncoding: string): ContentEncoding | null {
  if (acceptEncoding === "") return null;
  const weights = new Map<string, number>();
  for (const part of acceptEncoding.toLowerCase().split(",")) {
    const [name = "", ...parameters] = part.split(";").map((piece) => piece.trim());
    const weight = parameters.find((parameter) => parameter.startsWith("q="))?.slice(2) ?? "1";
    weights.set(name, Number(weight) || 0);
  }
  const weightOf = (encoding: string): number => weights.get(encoding) ?? weights.get("*") ?? 0;
  const [best] = [...contentEncodings].sort((a, b) => weightOf(b) - weightOf(a));
  return best && weightOf(best) > 0 && weightOf(best) >= (weights.get("identity") ?? 0)
    ? best
    : null;
}
