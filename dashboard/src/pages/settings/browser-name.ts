// A browser in two words from how it names itself, which is far too long to read.

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

// The order matters: most browsers also claim to be those further down.
export function browserName(userAgent: string): string {
  const browser = browsers.find(([mark]) => userAgent.includes(mark))?.[1];
  const system = systems.find(([mark]) => userAgent.includes(mark))?.[1];
  if (!browser) return userAgent.slice(0, 40) || "Unknown browser";
  return system ? `${browser} on ${system}` : browser;
}
