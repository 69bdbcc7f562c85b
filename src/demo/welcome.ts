// The text that the demo prints once it runs, and again after a while, when its events have pushed that off the screen.

type RunningDemo = {
  url: string;
  apiKey: string;
  signInUrl: string;
  /** For commands in another terminal. */
  dataDir: string;
  /** The channel of `--webhook`; null without. */
  webhook: { url: string; secret: string } | null;
};

/** @param script the npm script that started the demo, or undefined */
export function formatWelcome(demo: RunningDemo, script: string | undefined): string[] {
  const { url, apiKey, signInUrl, webhook, dataDir } = demo;
  const commands = commandsOf(script);
  return [
    "",
    "Starpost is running with simulated stores. A few reviews arrive in the first minutes; each line below",
    "is a webhook delivery whose signature was verified. Ctrl-C ends the demo.",
    "",
    `  Click     ${signInUrl}`,
    `  API       ${url}/docs`,
    `  API key   ${apiKey}`,
    "",
    `  curl -H "Authorization: Bearer ${apiKey}" "${url}/api/v1/reviews?rating=1&limit=3"`,
    `  curl -H "Authorization: Bearer ${apiKey}" "${url}/api/v1/apps"`,
    `  DATA_DIR=${dataDir} ${commands.status}`,
    ...(webhook
      ? ["", `  Your endpoint ${webhook.url} gets every event, signed with ${webhook.secret}`]
      : []),
    "",
    "What next",
    "  1. Overview: what happened to the battery nine days ago, and since the fix?",
    "  2. Sources: one storefront and one channel fail. Why?",
    ...(webhook
      ? []
      : [`  3. Your own receiver: ${commands.demo} --webhook http://127.0.0.1:3000/hook`]),
    `  ${webhook ? "3" : "4"}. Your own apps: stop the demo, then ${commands.start}`,
    "",
  ];
}

/** As the demo was started: by the script of a checkout, by npx, or by an installed command. */
function commandsOf(script: string | undefined): { demo: string; start: string; status: string } {
  if (script === "demo" || script === "dev")
    return { demo: "npm run demo --", start: "npm start", status: "npm run -s starpost -- status" };
  const starpost = script === "npx" ? "npx starpost" : "starpost";
  return {
    demo: `${starpost} demo`,
    start: `${starpost} serve`,
    status: `${starpost} status`,
  };
}

const reminderEvery = 12;

/** Prints events, and after every dozen of them where the demo is. */
export function createEventPrinter(
  print: (line: string) => void,
  reminder: () => string | null,
): (line: string) => void {
  let count = 0;
  return (line) => {
    print(line);
    count += 1;
    const words = count % reminderEvery === 0 ? reminder() : null;
    if (words !== null) print(words);
  };
}
