// A fault of a database's URL: a sentence whose subject is the URL, and which never holds a part of its sign-in.

export class UrlFault extends Error {}

/** @throws UrlFault */
export function fail(fault: string): never {
  throw new UrlFault(fault);
}
