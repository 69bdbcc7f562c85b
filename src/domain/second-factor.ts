// The second factor of a user: a secret that their authenticator app makes codes from.
export type SecondFactor = {
  /** The user's id. */
  id: string;
  encryptedSecret: Buffer;
  /** null until a first code showed that the app has the secret. */
  confirmedAt: Date | null;
  /** The step of the code that was used last. */
  lastStep: number;
};
