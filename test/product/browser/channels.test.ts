// Channels of other types than webhooks, from the form to the message: Telegram with its double, e-mail with a real
// mail server, whose message is then opened in light and dark, wide and narrow.
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { StoreState } from "../../../simulator/store-state.ts";
import { composeHtml } from "../../../src/delivery/channel-types/email/email-message.ts";
import { composeMessage } from "../../../src/delivery/channel-types/message/compose-message.ts";
import { systemClock } from "../../../src/lib/clock.ts";
import { createView } from "../../../src/operations/view.ts";
import { createWorkspace } from "../../support/acts.ts";
import { hasBrowser, type WatchedPage } from "../../support/browser.ts";
import { checkPage } from "../../support/browser-checks.ts";
import { type BrowserFixture, openBrowserFixture } from "../../support/browser-fixture.ts";
import { aDigestEvent, aDropEvent, aReviewEvent, oddTexts } from "../../support/channel-events.ts";
import { type ChatDouble, inventedToken, openChatDouble } from "../../support/chat-doubles.ts";
import { choose, press, typeInto } from "../../support/hands.ts";
import { type MailServerDouble, openMailServer, readParts } from "../../support/mail-server.ts";
import { act } from "../../support/operations.ts";
import { openReceiver } from "../../support/receiver.ts";

/** Only written into e-mails: the browser opens their links at the service's own address. */
const publicUrl = "http://starpost.localhost";

let world: BrowserFixture;
let telegram: ChatDouble;
let mailServer: MailServerDouble;
let visitor: WatchedPage;
let page: Page;
let base = "";

describe.skipIf(!hasBrowser())("channels in the browser", { shuffle: false }, () => {
  beforeAll(async () => {
    telegram = await openChatDouble("telegram");
    mailServer = await openMailServer();
    world = await openBrowserFixture(new StoreState(systemClock), {
      TELEGRAM_BASE_URL: telegram.baseUrl,
      CHANNEL_HOSTS: "127.0.0.1",
      SMTP_URL: `smtp://127.0.0.1:${mailServer.port}`,
      EMAIL_FROM: "Starpost <starpost@example.com>",
      PUBLIC_URL: publicUrl,
    });
    const deps = { ...world.service.deps, actor: "test" };
    const workspace = await createWorkspace(deps, { name: "Paper Harbor", plan: "studio" });
    visitor = await world.signIn({ email: "mara@example.com", workspaceId: workspace.id });
    page = visitor.page;
    base = `/w/${workspace.id}`;
  });
  afterAll(async () => {
    await world?.close();
    await telegram?.close();
    await mailServer?.close();
  });

  test("the filters of a list are taken over, and a saved view is followed", async () => {
    await page.goto(`${base}/sources/channels/new?country=de&sentiment=negative&q=boat&range=14d`);
    await page.getByText("Not taken over from the list:").waitFor();
    const more = page.getByText(/More filters: sentiment negative, Germany, the words “boat”/);
    await press(more);
    await typeInto(page.getByLabel("Characters at least"), "40");
    await page.getByText("40 characters or more").waitFor();
    expect(await checkPage(visitor, "new-channel-filters")).toEqual([]);
    await typeInto(page.getByLabel("Name"), "Berlin");
    await typeInto(page.getByLabel("Endpoint URL"), "https://example.com/hook");
    await page.getByRole("button", { name: "Create the channel" }).click();
    await page.getByRole("button", { name: "Go to the channel" }).click();
    const [, workspaceId = ""] = base.match(/w\/(.+)/) ?? [];
    const { database, clock } = world.service.deps;
    const [channel] = await database.listChannels({ workspaceId });
    expect(channel?.filter).toBe("country=de&minLength=40&q=boat&sentiment=negative");
    await page.goto(`${base}/sources`);
    await page
      .getByText("Only sentiment negative · Germany · the words “boat” · 40 characters or more")
      .waitFor();
    const view = { workspaceId, name: "Angry mail", query: "rating=1" };
    await act({ clock, database }, createView, view);
    await page.goto(`${base}/sources/channels/${channel?.id}?tab=settings`);
    await page.getByRole("combobox", { name: "Reviews" }).selectOption("The saved view Angry mail");
    await page.getByText("When the view changes, this channel changes with it").waitFor();
    expect(await checkPage(visitor, "channel-follows-view")).toEqual([]);
    await page.getByRole("button", { name: "Save" }).click();
    await expect
      .poll(async () => (await database.listChannels({ workspaceId }))[0]?.query)
      .toBe("rating=1");
    await page.goto(`${base}/sources`);
    await page.getByText("Only 1 ★", { exact: true }).waitFor();
    visitor.takeErrors();
  });

  test("another service: chosen from the presets, previewed, tested, and its template changed", async () => {
    const receiver = await openReceiver({ reply: { kind: "status", status: 201, body: "{}" } });
    await page.goto(`${base}/sources/channels/new`);
    await choose(page, "Other services");
    await page.getByLabel("Service", { exact: true }).selectOption("GitHub issue");
    await typeInto(page.getByLabel("Name"), "Issues");
    const request = page.getByRole("region", { name: "Request" });
    await request.getByText("A new review: POST").waitFor();
    await request.getByText("An edit: POST …/1234/comments").waitFor();
    await request.getByText("This review is invented").first().waitFor();
    expect(await checkPage(visitor, "new-channel-http")).toEqual([]);
    await typeInto(page.getByLabel("Owner"), "harbour");
    await typeInto(page.getByLabel("Repository"), "apps");
    await page.getByText("Advanced").click();
    expect(await page.getByLabel("URL of the service").inputValue()).toBe(
      "https://api.github.com/repos/harbour/apps/issues",
    );
    await typeInto(page.getByLabel("JSON for a new event"), '{ "title": "{{review.txt}}" }');
    await request.getByText("names {{review.txt}}").waitFor();
    await typeInto(page.getByLabel("JSON for a new event"), '{ "title": "{{review.text}}" }');
    await typeInto(page.getByLabel("Token", { exact: true }), "invented-token");
    await typeInto(page.getByLabel("JSON for a new event"), '{ "title": "{{review.text}}" }');
    await typeInto(page.getByLabel("URL of the service"), receiver.url);
    await page.getByRole("button", { name: "Create the channel" }).click();
    const dialog = page.getByRole("dialog", { name: "Issues is ready" });
    await dialog.getByRole("button", { name: "Send a test" }).click();
    await dialog.getByText(/The test event arrived: the answer was 201/).waitFor();
    const [sent] = receiver.requests;
    expect(sent?.headers["authorization"]).toBe("Bearer invented-token");
    expect(JSON.parse(String(sent?.body))).toEqual({
      title: "This review is invented. It shows what a delivery looks like.",
    });
    await dialog.getByRole("button", { name: "Go to the channel" }).click();
    await page.getByText("Other services: http://127.0.0.1").waitFor();
    await page.getByRole("link", { name: "Settings" }).last().click();
    await typeInto(page.getByLabel("JSON for a new event"), '{ "text": "{{heading}}" }');
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("Saved", { exact: true }).waitFor();
    await page.getByRole("link", { name: "Log", exact: true }).click();
    await page.getByRole("button", { name: "Send a test" }).click();
    const [, second] = await receiver.waitFor(2);
    expect(String(second?.body)).toContain('"text":"★★★★☆ New review of');
    expect(second?.headers["authorization"]).toBe("Bearer invented-token");
    await receiver.close();
    visitor.takeErrors();
  });

  test("Telegram: made with a picture of the message, tested, and given another chat", async () => {
    await page.goto(`${base}/sources/channels/new`);
    await choose(page, "Telegram");
    await typeInto(page.getByLabel("Name"), "Ops chat");
    await typeInto(page.getByLabel("Token of the bot"), inventedToken);
    await typeInto(page.getByLabel("Chat"), "no such");
    const picture = page.getByRole("region", { name: "Message" });
    // The picture is of an event that the channel sends: of these stars, and in English unless it translates.
    await picture.getByText("★★☆☆☆ New review").waitFor();
    await choose(page.getByRole("group", { name: "Stars", exact: true }), "Only some");
    await choose(page, "1 ★");
    await picture.getByText("★☆☆☆☆ New review").waitFor();
    await picture.getByText("The tide table has been empty").waitFor();
    expect(await picture.getByText("La tabla").count()).toBe(0);
    expect(await checkPage(visitor, "new-channel-telegram")).toEqual([]);
    await page.getByRole("button", { name: "Create the channel" }).click();
    const refusal = page.getByText("must be a chat's id");
    await refusal.waitFor();
    await typeInto(page.getByLabel("Chat"), "-1001234567890");
    expect(await refusal.count()).toBe(0);
    await page.getByRole("button", { name: "Create the channel" }).click();
    const dialog = page.getByRole("dialog", { name: "Ops chat is ready" });
    await dialog.getByRole("button", { name: "Send a test" }).click();
    await dialog.getByText(/The test event arrived: the answer was 200/).waitFor();
    await expect.poll(() => dialog.getByText("signing secret").count()).toBe(0);
    await dialog.getByRole("button", { name: "Go to the channel" }).click();
    await page.getByText("Telegram: -1001234567890").waitFor();
    await expect.poll(() => page.getByRole("link", { name: "Secret" }).count()).toBe(0);
    await page.getByRole("link", { name: "Settings" }).last().click();
    await typeInto(page.getByLabel("Chat"), "@invented_ops");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("Telegram: @invented_ops").waitFor();
    await page.getByRole("link", { name: "Log", exact: true }).click();
    await page.getByRole("button", { name: "Send a test" }).click();
    const [, second] = await telegram.waitFor(2);
    expect(JSON.parse(String(second?.body))).toMatchObject({ chat_id: "@invented_ops" });
    expect(second?.path).toContain(inventedToken);
    visitor.takeErrors();
  });

  test("e-mail: a test goes to addresses that have confirmed, and says what the mail server answered", async () => {
    await page.goto(`${base}/sources/channels/new`);
    await choose(page, "E-mail", { exact: true });
    await typeInto(page.getByLabel("Name"), "Mornings");
    await typeInto(page.getByLabel("E-mail addresses"), "team@example.com, lead@example.com");
    await choose(page, "A digest every day");
    await page.getByLabel("At", { exact: true }).pressSequentially("0730");
    await page.getByLabel("Time zone").selectOption("America/New_York");
    const picture = page.getByRole("region", { name: "Message" });
    await picture.getByText("Daily digest of Sample App").waitFor();
    expect(await checkPage(visitor, "new-channel-digest")).toEqual([]);
    await page.getByRole("button", { name: "Create the channel" }).click();
    const dialog = page.getByRole("dialog", { name: "Mornings is ready" });
    await dialog
      .getByText(/An e-mail asks team@example.com, lead@example.com to confirm/)
      .waitFor();
    await dialog.getByRole("button", { name: "Send a test" }).click();
    await dialog.getByText(/did not arrive: no recipient is a member or has confirmed/).waitFor();
    expect(await checkPage(visitor, "new-channel-unconfirmed")).toEqual([]);
    await dialog.getByRole("button", { name: "Go to the channel" }).click();
    await page.getByText(/Next digest/).waitFor();
    const channelUrl = page.url();
    await page.getByText("nothing is sent there: team@example.com, lead@example.com").waitFor();
    await mailServer.waitFor(2);
    await page.goto(confirmPath("team@example.com"));
    await press(page.getByRole("button", { name: "Yes, send them" }));
    await page.getByText("Confirmed.").waitFor();
    await page.goto(channelUrl);
    await page.getByText("nothing is sent there: lead@example.com").waitFor();
    await page.getByRole("button", { name: "Send a test" }).click();
    await page.getByText(/The test event arrived: it was accepted in \d+ ms/).waitFor();
    const row = page.locator("details", { hasText: "Test" }).first();
    await row.locator("summary").first().click();
    await row.getByText("Accepted", { exact: true }).waitFor();
    const sent = mailServer.mails.at(-1);
    expect(sent?.to).toEqual(["team@example.com"]);
    const { html } = readParts(sent?.source ?? "");
    expect(await openMail(html, "mail-test")).toEqual([]);
    await page.getByRole("link", { name: "Open in Starpost" }).waitFor();
  });

  test("alerts can be chosen, also for a webhook, and stay chosen for another type", async () => {
    await page.goto(`${base}/sources/channels/new`);
    await choose(page, "Slack");
    await choose(page, "A storefront can't be read");
    await choose(page, "Webhook", { exact: true });
    expect(await page.getByLabel("A storefront can't be read").isChecked()).toBe(true);
    await typeInto(page.getByLabel("Name"), "Plain");
    await typeInto(page.getByLabel("Endpoint URL"), world.receiver.url);
    await page.getByRole("button", { name: "Create the channel" }).click();
    await page.getByRole("dialog", { name: "Plain is ready" }).waitFor();
  });

  test("a view gets a feed with a link, which ends", async () => {
    await page.goto(`${base}/reviews?rating=2`);
    await page.getByRole("button", { name: "Save this view" }).click();
    await typeInto(page.getByLabel("Name"), "Bad news");
    await page.getByRole("button", { name: "Save the view" }).click();
    await openFeed();
    await page.getByRole("button", { name: "Create link" }).click();
    const dialog = page.getByRole("dialog", { name: "RSS feed of this view" });
    const link = await dialog.locator("code").innerText();
    expect(await checkPage(visitor, "view-feed")).toEqual([]);
    expect((await fetch(link)).headers.get("content-type")).toContain("application/atom+xml");
    await dialog.getByRole("button", { name: "Close" }).last().click();
    await page.goto(`${base}/settings?tab=outgoing`);
    await page.getByRole("button", { name: "End", exact: true }).click();
    await page.getByText("The link to Bad news has ended").waitFor();
    expect((await fetch(link)).status).toBe(404);
  });

  test("e-mails with texts of all kinds show them literally and fit a phone", async () => {
    const text = Object.values(oddTexts).join("\n\n");
    const options = { publicUrl: "https://starpost.example", textMax: 20_000 };
    const review = aReviewEvent({ text, translatedText: "Short.", translatedFrom: "he" });
    expect(await openMail(composeHtml(composeMessage(review, options)), "mail-odd")).toEqual([]);
    const shown = await page.locator("p").allInnerTexts();
    const flat = (one: string) => one.replace(/\s+/g, " ").trim();
    expect(shown.map(flat)).toContain(flat(text));
    const drop = composeMessage(aDropEvent(), options);
    expect(await openMail(composeHtml(drop), "mail-drop")).toEqual([]);
    const digest = composeMessage(aDigestEvent(text.slice(-280)), options);
    expect(await openMail(composeHtml(digest), "mail-digest")).toEqual([]);
  });
});

async function openFeed(): Promise<void> {
  await page.getByRole("button", { name: "View", exact: true }).click();
  await page.getByRole("menuitem", { name: "RSS feed" }).click();
}

/** Where the link in the question to an address leads. */
function confirmPath(address: string): string {
  const mail = mailServer.mails.find(({ to }) => to.includes(address));
  const url = /http:\S+\/mail\/confirm\/[^\s>]+/.exec(readParts(mail?.source ?? "").text)?.[0];
  return (url ?? "").replace(publicUrl, "");
}

async function openMail(html: string, name: string): Promise<string[]> {
  visitor.takeErrors();
  await page.goto(`data:text/html;base64,${Buffer.from(html).toString("base64")}`);
  return checkPage(visitor, name);
}
