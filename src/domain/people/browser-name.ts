// A short name of a browser, such as `Firefox on Linux`, from its user agent string.

const browsers = [
  ["Edg/", "Edge"],
  ["OPR/", "Opera"],
  ["Firefox/", "Firefox"],
  ["Chrome/", "Chrome"],
  ["Safari/", "Safari"],
] as const;

const systems = [
  ["Android", "Android"],
  ["iPhone", "iPhone"],
  ["iPad", "iPad"],
  ["Mac OS", "macOS"],
  ["Windows", "Windows"],
  ["Linux", "Linux"],
] as const;

// The order matters: most user agent strings contain the marks of browsers further down too.
export function browserName(userAgent: string): string {
  const browser = browsers.find(([mark]) => userAgent.includes(mark))?.[1];
  const system = systems.find(([mark]) => userAgent.includes(mark))?.[1];
  if (!browser) return userAgent.slice(0, 40) || "an unknown browser";
  return system ? `${browser} on ${system}` : browser;
}
