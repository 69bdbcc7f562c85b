// What a simulated store tells of an app beside its name, and what apps and reviews are like unless a test says more.

export type StoreFacts = {
  releasedAt: Date;
  releaseNotes: string;
  price: number;
  currency: string;
  genre: string;
  /** Google Play only. */
  installs: number;
};

export const appDefaults = {
  name: "Sample",
  developer: "Sample Makers",
  iconUrl: "https://images.sample.invalid/icon/512x512bb.png",
  version: "1.0.0",
};

export const reviewDefaults = { author: "reader", title: null, version: "1.0.0", votes: 0 };
