// Invented reviews with the topic a person would name, for every topic and in many languages.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { anyText } from "../../test/support/any-text.ts";
import { topicNames } from "../domain/review/topics.ts";
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
  ["battery", "Dùng một lúc là hao pin"],
  ["login", "Quên mật khẩu thì phải làm sao"],
  ["ads", "Quảng cáo liên tục"],
];

/** Complaints that had no topic, or not this one. */
const unseenBefore: readonly (readonly [string, string])[] = [
  ["bug", "I can't upload my holiday pictures"],
  ["bug", "It keeps asking for my birthday"],
  ["crash", "The app won't open on my tablet"],
  ["privacy", "It wants a permission to read my contacts"],
  ["ui", "Lovely graphics, such cute animals"],
  ["content", "The story gets dull after the third quest"],
  ["login", "My account was suspended for nothing"],
  ["feature_request", "Meine Uhr wird leider nicht unterstützt"],
  ["bug", "Die Kopplung klappt leider nicht"],
  ["bug", "Gestern ging alles, heute lässt sich der Kalender nicht mehr öffnen"],
  ["feature_request", "여러 기기에서 쓸 수 있으면 좋겠어요"],
  ["bug", "화면이 안 나와요"],
  ["bug", "fotonya tdk muncul semua"],
  ["feature_request", "il serait appréciable de pouvoir trier la liste"],
  ["bug", "la montre ne se synchronise pas avec le téléphone"],
  ["support", "Llevo un mes esperando y nadie responde"],
  ["bug", "No se puede escuchar nada"],
  ["bug", "Не могу сохранить заметку"],
  ["feature_request", "Mancano le cartelle, le vorrei ordinare"],
  ["bug", "写真が保存できません"],
  ["bug", "照片无法下载"],
  ["bug", "Fotoğraflar yüklenmedi, bağlanamıyorum"],
  ["bug", "não consigo salvar a foto"],
  ["crash", "It freezes as soon as I open the map"],
  ["bug", "Ứng dụng báo lỗi khi lưu ảnh"],
  ["feature_request", "Daftarnya harus datang ke kantor"],
];

describe("finding topics", () => {
  test.each(samples)("%s: %s", (topic, text) => {
    expect(topicsOf(text)).toContain(topic);
  });

  test("every topic has a sample here", () => {
    expect(new Set(samples.map(([topic]) => topic))).toEqual(new Set(topicNames));
  });

  test("a word inside another word is not a topic", () => {
    expect(topicsOf("My grandads read headlines about roads")).toEqual([]);
  });

  test("several topics come sorted and once", () => {
    expect(topicsOf("Ads, ads, ads! And it crashes since the update.")).toEqual([
      "ads",
      "crash",
      "update",
    ]);
  });

  test("praise that no phrase says is found by the whole text", () => {
    const text = "It is a joy every morning";
    expect(findTopicEvidence(review(text))).toEqual([]);
    expect(topicsOf(text)).toContain("praise");
  });

  test("a phrase alone is not enough where the whole text reads otherwise", () => {
    expect(topicsOf("Great, another crash")).not.toContain("praise");
    expect(topicsOf("Great, I use it every day")).toContain("praise");
    expect(topicsOf("I wish you good luck, great app")).not.toContain("feature_request");
    expect(topicsOf("I wish there was a map of the trails")).toContain("feature_request");
  });

  test.each(unseenBefore)("%s: %s", (topic, text) => {
    expect(topicsOf(text)).toContain(topic);
  });

  test("a topic that is named late in a long review is found", () => {
    const story = "I walked the dog along the river and it was a fine day. ".repeat(60);
    expect(topicsOf(`${story} Please add a widget.`)).toContain("feature_request");
  });

  test("negated praise is not praise", () => {
    expect(topicsOf("This is not a great app")).not.toContain("praise");
    expect(topicsOf("This is a great app")).toContain("praise");
  });

  test("a word that another language uses for something else is not a topic", () => {
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
    expect(found).toEqual([
      { topic: "ads", field: "title", start: 8, end: 11, words: "ＡＤＳ" },
      { topic: "crash", field: "text", start: 8, end: 16, words: "CRAAAASH" },
    ]);
  });

  test("has the words at its position, for any text around it", () => {
    fc.assert(
      fc.property(fc.option(anyText()), fc.string(), (title, before) => {
        const text = `${before} it crashes`;
        for (const evidence of findTopicEvidence({ title, text, rating: 2, languageHint: "en" })) {
          const field = evidence.field === "title" ? (title ?? "") : text;
          expect(field.slice(evidence.start, evidence.end)).toBe(evidence.words);
          expect(evidence.words).not.toBe("");
        }
      }),
    );
  });

  test("is there for every topic that a phrase says, and for no other", () => {
    for (const [topic, text] of samples) {
      const topics = findTopicEvidence(review(text)).map((evidence) => evidence.topic);
      expect(topics).toContain(topic);
      // The decision adds a topic without words.
      const added = topicsOf(text).filter((one) => !topics.some((known) => known === one));
      expect(["bug", "feature_request", "praise"]).toEqual(expect.arrayContaining(added));
      expect(topicsOf(text)).toEqual(expect.arrayContaining(topics));
    }
  });
});
