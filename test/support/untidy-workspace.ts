// A workspace as careless as the world: words of 200 letters, names of 120, right to left, emoji, hundreds of apps and
// channels, twenty views, numbers of seven digits.
import { randomUUID } from "node:crypto";
import type { Database } from "../../src/database/database.ts";
import type { App } from "../../src/domain/feed/listing.ts";
import { addDays, dayMs, hourMs } from "../../src/lib/timestamp.ts";
import {
  aKey,
  anApp,
  aReview,
  type ReviewInput,
  saveChannel,
  saveReviews,
  saveSnapshots,
} from "./factories.ts";

export const longWord = `So${"o".repeat(198)}`;

const names = [
  "Reisekostenabrechnungsverwaltung für Außendienstmitarbeiterinnen und Außendienstmitarbeiter der Hafenbehörde 2026 Plus Pro",
  "متتبع المد والجزر للموانئ والسفن الصغيرة مع الإشعارات الفورية والخرائط التفصيلية والتقارير اليومية للبحارة والصيادين",
  "יומן גאות ושפל למפרשיות קטנות עם התראות, מפות מפורטות, דוחות יומיים ושיתוף מיקום בזמן אמת לכל המשפחה ולחברים בנמל",
  "潮汐と港の記録帳 小型船舶のための詳細な地図とお知らせ機能付き 毎日の報告書 家族や仲間との位置情報共有 完全版 二〇二六年",
  "🌊🚤⚓️🐙🦀🐚🪸🐠🐬🦈🌊🚤⚓️🐙🦀🐚🪸🐠🐬🦈🌊🚤⚓️🐙🦀🐚🪸🐠🐬🦈",
  "X".repeat(120),
  "https://example.com/a/very/long/address/that/somebody/typed/as/a/name?with=query&and=more&until=it-is-120-letters-long",
];

const texts = [
  longWord,
  `https://example.com/${"path-without-a-space/".repeat(9)}`,
  "التطبيق يتوقف عن العمل بعد التحديث الأخير ولا أستطيع رؤية جدول المد والجزر في الميناء",
  "האפליקציה קורסת בכל פעם שאני פותח את המפה, והסוללה נגמרת תוך שעה. בבקשה תתקנו את זה מהר",
  "アップデート後に通知が届かなくなりました。電池の減りも早いです。前の版に戻してほしいです。",
  "🔥".repeat(120),
  "A calm sentence of the usual length about tides, maps and the harbour.",
  "<b>Bold?</b> <script>alert(1)</script> {{name}} %s \u202Egnirts desrever\u202C",
  `${"Long story. ".repeat(300)}`,
];

const topics = ["battery", "crash", "subscription", "praise", "feature_request"];
const nameOf = (index: number): string => names[index % names.length] ?? "";

const appCount = 200;
const channelCount = 300;
const viewCount = 20;
const reviewsOf = (index: number): number => (index < 3 ? 400 : index < 60 ? 3 : 0);

/** The first app has the most reviews. */
export async function fillUntidily(
  database: Database,
  { workspaceId, now }: { workspaceId: string; now: Date },
): Promise<{ apps: App[]; channelId: string }> {
  const today = now.toISOString().slice(0, 10);
  const apps: App[] = [];
  for (let index = 0; index < appCount; index += 1) {
    const app = await anApp(database, {
      workspaceId,
      store: index % 2 === 0 ? "appstore" : "googleplay",
      externalAppId:
        index % 2 === 0 ? String(1_700_000_000 + index) : `com.example.${"a".repeat(60)}${index}`,
      name: nameOf(index),
      countries: ["us", "de", "jp", "sa", "il"],
    });
    apps.push(app);
    const reviews = Array.from({ length: reviewsOf(index) }, (_, at) => untidyReview(at, now));
    if (reviews.length > 0) await saveReviews(database, app, reviews);
    if (index < 3) {
      const seen = { firstDay: addDays(today, -20) };
      await saveSnapshots(database, app, [
        {
          day: today,
          total: 9_876_543,
          average: 4.8,
          histogram: [1_234_567, 234_567, 345_678, 1_456_789, 6_604_942],
        },
        { day: seen.firstDay, total: 9_765_432, average: 4.7, histogram: null },
      ]);
    }
  }
  await aKey(database, { id: workspaceId }, "manage");
  let channelId = "";
  for (let index = 0; index < channelCount; index += 1) {
    const url = `https://hooks.example.com/${"segment/".repeat(20)}${index}`;
    channelId = (await saveChannel(database, { workspaceId, name: nameOf(index), url })).id;
  }
  for (let index = 0; index < viewCount; index += 1) {
    const name = `${index} ${nameOf(index)}`.slice(0, 60);
    const view = { id: randomUUID(), workspaceId, name, query: "rating=1" };
    await database.saveView({ ...view, createdAt: now });
  }
  return { apps, channelId };
}

function untidyReview(at: number, now: Date): ReturnType<typeof aReview> {
  const isBad = at % 3 === 0;
  const input: ReviewInput = {
    date: new Date(now.getTime() - ((at * 7) % 80) * dayMs - hourMs),
    rating: isBad ? 1 : 5,
    title: at % 2 === 0 ? longWord : "",
    text: texts[at % texts.length] ?? "",
    author: at % 4 === 0 ? "N".repeat(120) : nameOf(at),
    version: at % 5 === 0 ? "2026.11.14-release-candidate+build.20261114101112" : `4.${at % 30}`,
    country: ["us", "de", "jp", "sa", "il"][at % 5] ?? "us",
    sentiment: isBad ? "negative" : "positive",
    score: isBad ? -0.8 : 0.8,
    topics: [topics[at % topics.length] ?? ""],
    ...(at % 6 === 0 ? { reply: { text: longWord, at: now } } : {}),
  };
  return aReview(input);
}
