// The app and dates that every link of the Overview passes on to the reviews.
export type Scope = { app?: string; from: string; to: string };
