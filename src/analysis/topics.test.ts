// Invented reviews with the topic a person would name, for every topic and in many languages.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { topicNames } from "../domain/topics.ts";
import { analyzeReview, findTopicEvidence } from "./analyze.ts";

const review = (text: string) => ({ title: null, text, rating: 3, languageHint: null });
const topicsOf = (text: string) => analyzeReview(review(text)).topics;

const samples: readonly (readonly [string, string])[] = [
  ["crash", "It CRASHES when I rotate the phone"],
  ["bug", "There is a glitch in the calendar"],
  ["performance", "So sluggish on my tablet"],
  ["login", "I never get the verification code"],
  ["pricing", "Far too expensive for what it does"],
  ["subscription", "They renewed my subscription"],
  ["ads", "An advert after every single tap"],
  ["ui", "The layout is hard to read"],
  ["feature_request", "Please add a widget"],
  ["update", "Since the latest version nothing is where it was"],
  ["notifications", "Reminders come two hours late"],
  ["support", "Customer service sent me in circles"],
  ["privacy", "Why do they want my personal data"],
  ["battery", "My phone overheats"],
  ["payment", "I am still waiting for my refund"],
  ["content", "More recipes would be lovely"],
  ["praise", "Amazing"],
  ["crash", "Die App stürzt bei jedem Foto ab"],
  ["login", "Ich kann mich nicht mehr anmelden"],
  ["ads", "Demasiados anuncios entre partidas"],
  ["payment", "Me cobraron dos veces este mes"],
  ["update", "Depuis la mise à jour tout est gris"],
  ["ads", "Il y a trop de pubs"],
  ["performance", "O aplicativo trava toda hora"],
  ["update", "Depois da atualizacao sumiu tudo"],
  ["subscription", "L'abbonamento si rinnova da solo"],
  ["ads", "Iklannya kebanyakan, tolong dikurangi"],
  ["login", "gak bisa masuk, kode otp tidak datang"],
  ["crash", "Приложение вылетает на старте"],
  ["subscription", "Отменил подписку, но поздно"],
  ["ads", "広告が長すぎます"],
  ["battery", "バッテリーの減りが早い"],
  ["login", "로그인이 자꾸 풀려요"],
  ["support", "고객센터 전화가 연결되지 않아요"],
  ["crash", "一打开就闪退"],
  ["payment", "申请退款三天了"],
  ["notifications", "Bildirimler gelmiyor"],
  ["update", "Güncellemeden sonra açılmıyor"],
];

describe("finding topics", () => {
  test.each(samples)("%s: %s", (topic, text) => {
    expect(topicsOf(text)).toContain(topic);
  });

  test("every topic has a sample here", () => {
    expect(new Set(samples.map(([topic]) => topic))).toEqual(new Set(topicNames));
  });

  test("a word inside another word is no topic", () => {
    expect(topicsOf("My grandads read headlines about roads")).toEqual([]);
  });

  test("several topics come sorted and once", () => {
    expect(topicsOf("Ads, ads, ads! And it crashes since the update.")).toEqual([
      "ads",
      "crash",
      "update",
    ]);
  });

  test("negated praise is no praise", () => {
    expect(topicsOf("This is not a great app")).not.toContain("praise");
    expect(topicsOf("This is a great app")).toContain("praise");
  });

  test("a word that another language uses for something else is no topic", () => {
    expect(topicsOf("Seit gestern habe ich ein Abo")).toContain("subscription");
    expect(topicsOf("I am abo tired of my lola")).toEqual([]);
  });
});

describe("the evidence", () => {
  test("has the words and their position", () => {
    expect(findTopicEvidence(review("It crashes after the Update"))).toEqual([
      { topic: "crash", field: "text", start: 3, end: 10, words: "crashes" },
      { topic: "update", field: "text", start: 21, end: 27, words: "Update" },
    ]);
  });

  test("distinguishes title and text, and has the original spelling", () => {
    const found = findTopicEvidence({
      title: "So many ＡＤＳ",
      text: "  and a CRAAAASH",
      rating: 1,
      languageHint: null,
    });
    expect(found).toEqual([{ topic: "ads", field: "title", start: 8, end: 11, words: "ＡＤＳ" }]);
  });

  test("has the words at its position, for any text around it", () => {
    fc.assert(
      fc.property(fc.option(fc.string({ unit: "binary" })), fc.string(), (title, before) => {
        const text = `${before} it crashes`;
        for (const evidence of findTopicEvidence({ title, text, rating: 2, languageHint: "en" })) {
          const field = evidence.field === "title" ? (title ?? "") : text;
          expect(field.slice(evidence.start, evidence.end)).toBe(evidence.words);
          expect(evidence.words).not.toBe("");
        }
      }),
    );
  });

  test("is there for every topic of the analysis and for no other", () => {
    for (const [, text] of samples) {
      const topics = findTopicEvidence(review(text)).map(({ topic }) => topic);
      expect([...new Set(topics)].sort()).toEqual(topicsOf(text));
    }
  });
});
