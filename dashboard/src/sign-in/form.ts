// Forms and buttons of the pages before the sign-in. They look and behave like the components of the other pages: errors
// beside their field, a busy button that keeps the focus, and the first field ready to be filled in.
import type { SignedIn } from "../../../src/dashboard-api/contract/session.ts";
import { describeError, fieldErrors } from "../api/http-request.ts";
import buttons from "../components/button.module.css";
import feedback from "../components/feedback.module.css";
import fields from "../components/field.module.css";
import { element } from "./elements.ts";
import { enter } from "./enter.ts";

export type Field = {
  /** As in the body of the request. */
  name: string;
  node: HTMLElement;
  input: HTMLInputElement;
  showError(text: string | undefined): void;
};

type FieldOptions = { name: string; label: string; hint?: string } & Record<
  string,
  string | number | boolean
>;

/** @param options other names are attributes of the input */
export function createField({ name, label, hint = "", ...attributes }: FieldOptions): Field {
  const input = element("input", { ...attributes, id: name, name, class: fields.input });
  const error = element("span", { id: `${name}-error`, class: fields.error, role: "alert" });
  const node = element(
    "div",
    { class: fields.field },
    element("label", { for: name, class: fields.label }, label),
    input,
    hint ? element("span", { id: `${name}-hint`, class: fields.hint }, hint) : null,
  );
  const showError = (text: string | undefined) => {
    error.textContent = text ?? "";
    if (text) node.append(error);
    else error.remove();
    const described = [hint ? `${name}-hint` : "", text ? error.id : ""].filter(Boolean);
    setOrRemove(input, "aria-describedby", described.join(" "));
    setOrRemove(input, "aria-invalid", text ? "true" : "");
  };
  showError(undefined);
  input.addEventListener("input", () => showError(undefined));
  return { name, node, input, showError };
}

/** The fields by which users identify themselves, each the same on every page, so that password managers know it. */
export const accountFields = {
  email: () =>
    createField({
      ...{ name: "email", label: "E-mail", type: "email" },
      ...{ autocomplete: "username", required: true },
    }),
  password: () =>
    createField({
      ...{ name: "password", label: "Password", type: "password" },
      ...{ autocomplete: "current-password", required: true },
    }),
  newPassword: ({ label = "Password", hint = "12 characters or more" } = {}) =>
    createField({
      ...{ name: "password", label, hint, type: "password", autocomplete: "new-password" },
      ...{ required: true, minlength: 12, maxlength: 128 },
    }),
  /** Text, not a number: codes begin with zeros, and recovery codes have letters. */
  code: () =>
    createField({
      ...{ name: "code", label: "Code", autocomplete: "one-time-code" },
      ...{ hint: "From your authenticator app, or a recovery code", required: true, maxlength: 40 },
    }),
};

export type Values = Readonly<Record<string, string>>;

type FormOptions = {
  submitLabel: string;
  /** Not the main action of its page. */
  isSecondary?: boolean;
  fields: readonly Field[];
  /** Signs in, or fails with an error to show; null when it signs in no user, and the page goes on by itself. */
  send: (values: Values) => Promise<SignedIn | null>;
};

export type Form = {
  node: HTMLFormElement;
  /** Asks for one thing more. */
  addField(field: Field): void;
};

export function createForm({ submitLabel, isSecondary, fields: first, send }: FormOptions): Form {
  const shown = [...first];
  const alert = createAlert();
  const button = createButton(submitLabel, {
    kind: isSecondary ? "plain" : "primary",
    type: "submit",
  });
  const node = element(
    "form",
    { class: "auth-form" },
    ...shown.map((field) => field.node),
    button.node,
  );
  const submit = async () => {
    alert.remove();
    for (const field of shown) field.showError(undefined);
    try {
      const session = await send(
        Object.fromEntries(shown.map(({ name, input }) => [name, input.value])),
      );
      // The button stays busy until the next page is there.
      if (session) return enter();
    } catch (error) {
      const errors = fieldErrors(error);
      const names = Object.keys(errors);
      for (const field of shown) field.showError(errors[field.name]);
      const isSaid = names.every((name) => shown.some((field) => field.name === name));
      if (names.length === 0 || !isSaid) node.prepend(alert.show(error));
    }
    button.setBusy(false);
  };
  node.addEventListener("submit", (event) => {
    event.preventDefault();
    if (button.isBusy()) return;
    button.setBusy(true);
    void submit();
  });
  return {
    node,
    addField(field) {
      shown.push(field);
      button.node.before(field.node);
      field.input.focus();
    },
  };
}

/** A button with a request of its own; its failure is shown above it. */
export function createAction(
  label: string,
  { kind, run }: { kind: "plain" | "primary" | "quiet"; run: () => Promise<void> | void },
): HTMLElement {
  const alert = createAlert();
  const button = createButton(label, { kind, type: "button" });
  button.node.addEventListener("click", async () => {
    if (button.isBusy()) return;
    button.setBusy(true);
    alert.remove();
    try {
      await run();
    } catch (error) {
      button.node.before(alert.show(error));
      button.setBusy(false);
    }
  });
  return element("div", { class: "auth-form" }, button.node);
}

function createButton(
  label: string,
  { kind, type }: { kind: "plain" | "primary" | "quiet"; type: "submit" | "button" },
) {
  const classes = [buttons.button, kind === "plain" ? "" : buttons[kind]].join(" ").trim();
  const node = element("button", { type, class: classes }, label);
  const spinner = element("span", { class: buttons.spinner, "aria-hidden": "true" });
  return {
    node,
    isBusy: () => spinner.isConnected,
    setBusy(isBusy: boolean) {
      if (isBusy) node.prepend(spinner);
      else spinner.remove();
      setOrRemove(node, "aria-busy", isBusy ? "true" : "");
      // Not `disabled`, which would take the focus away from the button.
      setOrRemove(node, "aria-disabled", isBusy ? "true" : "");
    },
  };
}

export function createAlert() {
  const text = element("span", { role: "alert" });
  const node = element(
    "div",
    { class: [feedback.alert, feedback.bad].join(" ") },
    element("div", {}, text),
  );
  return {
    remove: () => node.remove(),
    show(error: unknown): HTMLElement {
      text.textContent = describeError(error);
      return node;
    },
  };
}

function setOrRemove(node: HTMLElement, name: string, value: string): void {
  if (value) node.setAttribute(name, value);
  else node.removeAttribute(name);
}
