// Secrets by the marks with which services begin them: one that was pasted into a field for something else is refused there,
// before it is stored, shown, logged or looked up.

/** Also in lower case, as in the name of a host. Ordinary words have none of these beginnings with so many letters after. */
const marked =
  /(?:^|[^a-z\d])(?:atatt3x[\w-]{6}|gh[pousr]_[a-z\d]{16}|github_pat_\w{16}|glpat-[\w-]{12}|lin_api_[a-z\d]{12}|xox[abeprs]-[\w-]{10}|sk-(?:proj-|ant-)?[a-z\d]{20}|whsec_[\w+/=]{16}|tk_[a-z\d]{20}|sp_[a-z\d]{43}|eyj[\w-]{10,}\.eyj[\w-]{10}|-----begin [a-z ]*private key)/i;

export function hasKnownSecret(text: string): boolean {
  return marked.test(text);
}

export const secretError =
  "looks like a secret: enter it only where a token or a secret is asked for";

/** For a message about the text: cut, and without a secret. */
export function quoteText(text: string): string {
  return hasKnownSecret(text) ? "what looks like a secret" : JSON.stringify(text.slice(0, 60));
}
