/** The oldest browsers that all pages are built for. */
export const browsers = ["chrome123", "firefox121", "safari17.5"];
