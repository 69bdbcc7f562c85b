// Reads base32 (RFC 4648), as an authenticator app does.
const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

export function base32Bytes(text: string): Buffer {
  const bits = [...text]
    .map((char) => alphabet.indexOf(char).toString(2).padStart(5, "0"))
    .join("");
  const bytes = bits.match(/.{8}/g) ?? [];
  return Buffer.from(bytes.map((byte) => Number.parseInt(byte, 2)));
}
