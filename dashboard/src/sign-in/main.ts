// The pages before the sign-in: a script of their own, so that two fields don't wait for the application.

import { describeError } from "../api/http-request.ts";
import { recoverWhenOnline } from "../api/recovery.ts";
import feedback from "../components/feedback.module.css";
import "../style/tokens.css";
import "../style/base.css";
import "../style/auth.css";
import { element } from "./elements.ts";
import * as pages from "./pages.ts";
import { createStrip } from "./read.ts";

const heading = element("h1");
const card = element("div", { class: "auth-card" });
const skeleton = element(
  "div",
  { class: [feedback.skeleton, "auth-skeleton"].join(" ") },
  element("span", { class: "visually-hidden", role: "status" }, "Loading the page"),
);

function show(title: string, content: readonly (Node | string)[]): void {
  document.title = `${title} · Starpost`;
  heading.textContent = title;
  card.replaceChildren(heading, ...content);
  // These pages have nothing else to do than to fill in their form.
  card.querySelector<HTMLElement>("input:not([readonly])")?.focus();
}

const byPath: Record<string, () => pages.Page> = {
  "/setup": pages.setUp,
  "/join": pages.join,
  "/sign-in-link": pages.signInLink,
  "/sign-in-problem": pages.signInProblem,
  "/forgotten-password": pages.forgottenPassword,
  "/reset": () => pages.resetPassword(show),
};

async function open(): Promise<void> {
  const frame = document.querySelector("main");
  frame?.classList.remove("frame");
  frame?.prepend(createStrip());
  frame?.querySelector(".auth-empty")?.replaceWith(card);
  const page = (byPath[window.location.pathname] ?? pages.signIn)();
  if (Array.isArray(page.content)) return show(page.title, page.content);
  show(page.title, [skeleton]);
  try {
    const content = await page.content;
    if ("title" in content) show(content.title, content.content);
    else show(page.title, content);
  } catch (error) {
    const text = element("div", { role: "alert" }, describeError(error));
    show(page.title, [element("div", { class: [feedback.alert, feedback.bad].join(" ") }, text)]);
  }
}

/** Loads the application while the user types: it is what comes next. */
function preloadApplication(): void {
  const names = document.querySelector<HTMLElement>("[data-next]")?.dataset["next"]?.split(" ");
  for (const href of names ?? []) {
    document.head.append(element("link", { rel: "modulepreload", href }));
  }
}

recoverWhenOnline();
document.addEventListener("input", preloadApplication, { once: true });
void open();
