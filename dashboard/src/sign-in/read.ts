// Reads what a page before the sign-in needs, and tries again as all pages do while the service can't be read.
import { describeError } from "../api/http-request.ts";
import { recovery } from "../api/recovery.ts";
import buttons from "../components/button.module.css";
import feedback from "../components/feedback.module.css";
import { element } from "./elements.ts";

const never = new AbortController().signal;

/** @throws RequestError for what can't pass by itself */
export function read<Answer>(key: string, attempt: () => Promise<Answer>): Promise<Answer> {
  return recovery.run({ key, attempt, signal: never });
}

/** Says that the browser has no connection, or that the service can't be read, until it is read again. */
export function createStrip(): HTMLElement {
  const strip = element("div", { class: feedback.strip, hidden: true });
  const retry = element(
    "button",
    { type: "button", class: [buttons.button, buttons.small].join(" ") },
    "Try again",
  );
  retry.addEventListener("click", recovery.tryNow);
  const update = () => {
    const failure = recovery.readFailure();
    strip.hidden = failure === null && navigator.onLine;
    if (strip.hidden) strip.replaceChildren();
    else if (!navigator.onLine)
      strip.replaceChildren(element("span", { role: "status" }, "You're offline."));
    else
      strip.replaceChildren(
        element("span", { role: "alert" }, `${describeError(failure)} This page keeps trying.`),
        retry,
      );
  };
  recovery.subscribe(update);
  for (const event of ["online", "offline"]) window.addEventListener(event, update);
  update();
  return strip;
}
