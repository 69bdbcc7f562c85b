// The pages before the sign-in: each has a title and what is below it, which may come later.
import type {
  InvitationOffer,
  SignedIn,
  SignInWays,
} from "../../../src/dashboard-api/contract/session.ts";
import type { SignInProblem } from "../../../src/features/single-sign-on/contract.ts";
import { callApi } from "../api/api-client.ts";
import { element, link, paragraph } from "./elements.ts";
import { enter, returnPath } from "./enter.ts";
import { accountFields, createAction, createAlert, createField, createForm } from "./form.ts";
import { read } from "./read.ts";

type Content = readonly (Node | string)[];
export type Page = {
  title: string;
  /** Below the title; what has to be read first may change the title, too. */
  content: Content | Promise<Content | { title: string; content: Content }>;
};

/** The token of a link is in the URL's fragment, which browsers send to no server, and leaves the address bar. */
function takeToken(): string {
  const token = window.location.hash.slice(1);
  window.history.replaceState(null, "", window.location.pathname);
  return token;
}

/** How people sign in here. */
function readWays(): Promise<SignInWays> {
  return read("ways", () => callApi("GET /session/ways", {}));
}

export function signIn(): Page {
  return { title: "Sign in", content: readSignIn() };
}

async function readSignIn() {
  const [session, ways] = await Promise.all([
    read("session", () => callApi("GET /session", {})),
    readWays(),
  ]);
  if (session.state === "signed_in") {
    // Another tab has signed in. The page stays as it is until the next one is there.
    enter();
    return new Promise<never>(() => undefined);
  }
  if (session.state === "unclaimed") return setupPending;
  return [
    ...(ways.hasProvider ? [providerButton(ways.hasPasswords ? "plain" : "primary")] : []),
    ...(ways.hasPasswords
      ? [signInForm("Sign in"), paragraph(link("/forgotten-password", "Can't sign in?"))]
      : []),
  ];
}

const setupPending = {
  title: "Welcome to Starpost",
  content: [
    paragraph(
      "There is no account yet. The service wrote a one-time set-up link to its log when it started: open it to create the first account and workspace.",
    ),
    paragraph(
      "The operator can also set ",
      element("code", {}, "ADMIN_EMAIL"),
      " and ",
      element("code", {}, "ADMIN_PASSWORD"),
      " and restart the service.",
    ),
  ],
};

/** @param finish runs after the sign-in and before the next page is shown */
function signInForm(
  submitLabel: string,
  finish?: (session: SignedIn) => Promise<SignedIn>,
): HTMLElement {
  const form = createForm({
    submitLabel,
    fields: [accountFields.email(), accountFields.password()],
    async send({ email = "", password = "", code }) {
      const body = code === undefined ? { email, password } : { email, password, code };
      const session = await callApi("POST /session/sign-in", { body });
      if (session.state !== "code_required") return finish ? finish(session) : session;
      if (code === undefined) form.addField(accountFields.code());
      return null;
    },
  });
  return form.node;
}

/** @param invitation token of the invitation to accept */
function providerButton(kind: "plain" | "primary", invitation: string | null = null): HTMLElement {
  return createAction("Continue with single sign-on", {
    kind,
    async run() {
      const body = { returnTo: returnPath(), invitation, isFresh: false };
      window.location.assign((await callApi("POST /session/provider", { body })).url);
    },
  });
}

export function signInLink(): Page {
  // From the provider the link ends in `.code`: it is known that a code is needed.
  const [token = "", end] = takeToken().split(".");
  const note = paragraph("This link signs you in once.");
  const form = createForm({
    submitLabel: "Sign in",
    fields: [],
    async send({ code }) {
      const body = code === undefined ? { token } : { token, code };
      const session = await callApi("POST /session/sign-in-link", { body });
      if (session.state !== "code_required") return session;
      if (code === undefined) addCodeField();
      return null;
    },
  });
  const addCodeField = () => {
    note.remove();
    form.addField(accountFields.code());
  };
  form.node.prepend(note);
  if (end === "code") addCodeField();
  return {
    title: "Sign in",
    content: [form.node, paragraph(link("/sign-in", "Sign in another way"))],
  };
}

const problems: Record<SignInProblem, string> = {
  domain: "Your e-mail address is not in a domain that may sign in here. Use your work account.",
  role: "Your account has no role here. Ask the people who manage your accounts to give you one.",
  email: "Your provider did not confirm an e-mail address of yours, so no account here fits.",
  invitation: "You have no account here yet. Ask an owner of a workspace for an invitation link.",
  link: "The invitation was used, has ended, or is for another e-mail address. Ask for a new one.",
  workspace: "There is no workspace to join. The operator of this service has to set it up.",
  expired: "This sign-in took too long, or was started in another browser. Start again.",
  provider: "The sign-in provider refused, or its answer can't be trusted. Try again.",
};

export function signInProblem(): Page {
  const problem = problems[takeToken() as SignInProblem] ?? problems.provider;
  return {
    title: "You are not signed in",
    content: [
      element("p", { role: "alert" }, problem),
      paragraph(link("/sign-in", "Back to the sign-in")),
    ],
  };
}

export function forgottenPassword(): Page {
  const form = createForm({
    submitLabel: "Send a link",
    fields: [accountFields.email()],
    async send({ email = "" }) {
      const { isMailSet } = await callApi("POST /session/forgotten-password", { body: { email } });
      const answer = isMailSet
        ? `If ${email} has an account, a link is on its way. It works for an hour.`
        : "This service sends no e-mail. Ask its operator to set a new password for you.";
      form.node.replaceWith(element("p", { role: "status" }, answer));
      return null;
    },
  });
  return {
    title: "New password",
    content: [form.node, paragraph(link("/sign-in", "Back to sign in"))],
  };
}

/** @param finish shows that it is done */
export function resetPassword(finish: (title: string, content: Content) => void): Page {
  const token = takeToken();
  const end = (title: string, text: string) => {
    finish(title, [element("p", { role: "status" }, text), paragraph(link("/sign-in", "Sign in"))]);
    return null;
  };
  const reset = createForm({
    submitLabel: "Set the password",
    fields: [
      accountFields.newPassword({
        label: "New password",
        hint: "12 characters or more. This signs you out everywhere.",
      }),
    ],
    async send({ password = "" }) {
      const body = { token, password };
      const { email } = await callApi("POST /session/reset-password", { body });
      return end("Password changed", `The new password of ${email} is set.`);
    },
  });
  const letIn = createForm({
    submitLabel: "Let this browser sign in",
    isSecondary: true,
    fields: [],
    async send() {
      const { email } = await callApi("POST /session/known-browser", { body: { token } });
      return end(
        "Sign in with this browser",
        `Nothing of ${email} has changed. Tries of others don't count for this browser any more.`,
      );
    },
  });
  return {
    title: "New password",
    content: [
      reset.node,
      element("h2", {}, "Keep the password"),
      paragraph("If sign-in is refused because of too many tries, let this browser sign in."),
      letIn.node,
      paragraph(link("/forgotten-password", "Ask for a new link")),
    ],
  };
}

export function setUp(): Page {
  return { title: "Set up Starpost", content: readSetUp(takeToken()) };
}

async function readSetUp(token: string): Promise<Content> {
  const { isOpen, workspaceNames } = await read("setup", () =>
    callApi("POST /setup/look", { body: { token } }),
  );
  if (!isOpen) {
    return [
      paragraph(
        "This set-up link is not valid any more: it works once. Look for a newer one in the service's log, or ",
        link("/sign-in", "sign in"),
        ".",
      ),
    ];
  }
  const hasWorkspaces = workspaceNames.length > 0;
  const workspace = createField({
    ...{ name: "workspaceName", label: "Workspace name", required: true, maxlength: 200 },
    hint: "Your team or company; you can change it later",
  });
  const form = createForm({
    submitLabel: "Create the account",
    fields: hasWorkspaces ? userFields(null) : [...userFields(null), workspace],
    send: ({ name = "", email = "", password = "", workspaceName = null }) =>
      callApi("POST /setup", { body: { name, email, password, token, workspaceName } }),
  });
  return [
    paragraph(
      hasWorkspaces
        ? `Create the first account. It becomes the owner of ${workspaceNames.join(", ")}.`
        : "Create the first account. You can invite others afterwards.",
    ),
    form.node,
  ];
}

/** @param fixedEmail the only address that the invitation accepts */
function userFields(fixedEmail: string | null) {
  return [
    createField({
      ...{ name: "name", label: "Your name", autocomplete: "name" },
      ...{ required: true, maxlength: 200 },
    }),
    createField({
      ...{ name: "email", label: "E-mail", type: "email", autocomplete: "email", required: true },
      ...(fixedEmail === null ? {} : { readonly: true, value: fixedEmail }),
    }),
    accountFields.newPassword(),
  ];
}

export function join(): Page {
  return { title: "Invitation", content: readInvitation(takeToken()) };
}

async function readInvitation(token: string) {
  try {
    const [session, offer] = await Promise.all([
      read("session", () => callApi("GET /session", {})),
      read("join", () => callApi("POST /join/look", { body: { token } })),
    ]);
    const role = offer.role === "owner" ? "an owner" : `a ${offer.role}`;
    const accept = () => callApi("POST /join/accept", { body: { token } });
    const way =
      session.state === "signed_in"
        ? createForm({ submitLabel: `Join as ${session.user.email}`, fields: [], send: accept })
            .node
        : signUp({ offer, token, accept, ways: await readWays() });
    const invites = paragraph(`${offer.invitedBy} invites you as ${role}.`);
    return { title: `Join ${offer.workspaceName}`, content: [invites, way] };
  } catch (error) {
    return [
      createAlert().show(error),
      paragraph(
        "Invitation links work once and for 7 days. Ask for a new one, or ",
        link("/sign-in", "sign in"),
        ".",
      ),
    ];
  }
}

type SignUp = {
  offer: InvitationOffer;
  token: string;
  accept: () => Promise<SignedIn>;
  ways: SignInWays;
};

function signUp({ offer, token, accept, ways }: SignUp): Node {
  if (!ways.hasPasswords) return providerButton("plain", token);
  const form = createForm({
    submitLabel: "Create account and join",
    fields: userFields(offer.email),
    send: ({ name = "", email = "", password = "" }) =>
      callApi("POST /join/sign-up", { body: { name, email, password, token } }),
  });
  const choice = element(
    "div",
    { class: "auth-form" },
    ways.hasProvider ? providerButton("plain", token) : null,
    form.node,
    createAction("I already have an account", {
      kind: "quiet",
      run() {
        const known = signInForm("Sign in and join", accept);
        choice.replaceChildren(known);
        known.querySelector("input")?.focus();
      },
    }),
  );
  return choice;
}
