// Invented reviews with the sentiment that a person would read in them, mostly without stars.
import { describe, expect, test } from "vitest";
import type { AnalysisInput, Sentiment } from "../domain/review/analysis.ts";
import { analyzeReview } from "./analyze.ts";
import { blendScore } from "./sentiment-decision.ts";

function sentimentOf(text: string, more: Partial<AnalysisInput> = {}): Sentiment {
  const { sentiment } = analyzeReview({
    title: null,
    text,
    rating: 3,
    languageHint: null,
    ...more,
  });
  if (sentiment === null) throw new Error(`no sentiment for ${JSON.stringify(text)}`);
  return sentiment;
}

describe("sentiment without stars", () => {
  test.each([
    ["positive", "Lovely little app, I enjoy it every day"],
    ["positive", "BEST APP EVER"],
    ["positive", "Not bad at all"],
    ["positive", "No crashes and no bugs any more since Tuesday"],
    ["negative", "not great"],
    ["negative", "It doesn't work on my tablet"],
    ["negative", "Thanks, but it crashes whenever I tap the map"],
    ["negative", "THIS IS THE WORST APP EVER"],
    ["negative", "This is not a great app"],
    ["negative", "Thank you for nothing, still broken"],
    ["positive", "No problems, no complaints"],
    ["positive", "Never crashes, always quick"],
    ["positive", "Excellent"],
    ["negative", "Garbage"],
    ["positive", "Aplikasinya keren banget, love it"],
    ["neutral", "I opened it on Monday with my sister"],
    ["positive", "Sehr übersichtlich und nützlich"],
    ["positive", "Keine Abstürze mehr"],
    ["negative", "Seit heute stürzt sie nur noch ab, schade"],
    ["negative", "Die App funktioniert nicht"],
    ["positive", "Muy útil y fácil de manejar"],
    ["negative", "No funciona desde ayer, qué decepción"],
    ["positive", "Très pratique, je recommande"],
    ["negative", "Ne fonctionne plus depuis hier"],
    ["positive", "Muito bom, gostei demais"],
    ["negative", "Não abre, péssimo aplicativo"],
    ["positive", "Bellissima e molto comoda"],
    ["negative", "Non funziona, una vergogna"],
    ["positive", "Aplikasinya bagus dan sangat membantu"],
    ["negative", "Tidak bisa dibuka, lemot sekali"],
    ["negative", "aplikasinya gak bagus"],
    ["positive", "Очень удобно, всем рекомендую"],
    ["negative", "Постоянно вылетает, ужас"],
    ["positive", "とても便利で使いやすい"],
    ["negative", "すぐ落ちるし、使えない"],
    ["positive", "정말 편리하고 좋아요"],
    ["negative", "자꾸 튕겨서 짜증나요"],
    ["positive", "非常好用，推荐"],
    ["negative", "经常闪退，太差了"],
    ["positive", "Çok kullanışlı ve güzel"],
    ["negative", "Sürekli donuyor, berbat"],
    ["negative", "bu uygulama iyi bir şey değil"],
    ["positive", "تطبيق رائع ومفيد"],
    ["negative", "تطبيق سيئ جدا"],
    ["positive", "Tidak ada masalah, lancar terus"],
    ["positive", "Sin problemas, todo perfecto"],
    ["positive", "Rất tiện lợi, tôi rất hài lòng"],
    ["negative", "Chậm và hay bị lỗi, thất vọng"],
    ["positive", "Всё понятно, приложение радует"],
    ["positive", "👍👍👍"],
    ["positive", "❤️😍"],
    ["negative", "😡"],
    ["neutral", "🚲"],
  ])("%s: %s", (label, text) => {
    expect(sentimentOf(text).label).toBe(label);
  });

  test("two clear statements that contradict are mixed", () => {
    const sentiment = sentimentOf("Great maps, but it crashes all the time");
    expect(sentiment.label).toBe("mixed");
    expect(sentiment.clauseMax).toBeGreaterThan(0.7);
    expect(sentiment.clauseMin).toBeLessThan(-0.7);
  });
});

test.each([
  "Good, but the battery drains",
  "Love the design, but it crashes all the time",
  "Tolle Oberfläche, aber sie stürzt ständig ab",
])("praise and blame at three stars are mixed: %s", (text) => {
  expect(sentimentOf(text, { rating: 3 }).label).toBe("mixed");
});

test.each([1, 2, 3, 4, 5])("neutral never has a strong score: %i stars", (rating) => {
  for (const text of ["Seit dem letzten Update stürzt die App ständig ab", "It opens", "okay"]) {
    const { label, score } = sentimentOf(text, { rating });
    if (label === "neutral") expect(Math.abs(score)).toBeLessThan(0.2);
  }
});

test("Russian praise is praise, although most Russian reviews are not", () => {
  expect(sentimentOf("Пользуюсь каждый день, рисую маршруты для прогулок").score).toBeGreaterThan(
    -0.2,
  );
  expect(sentimentOf("Удобно, всё работает").label).toBe("positive");
});

test("the score follows weights and words, on the side that was decided", () => {
  expect(blendScore(0.5, { words: 0.9, decided: 0.5 })).toBeGreaterThan(0.5);
  expect(blendScore(0.5, { words: -0.9, decided: 0.5 })).toBe(0.2);
  // Neither 0.2 nor 0.19990000000000002.
  expect(blendScore(0.1, { words: 0.9, decided: 0.1 })).toBe(0.1999);
  expect(blendScore(-0.9, { words: 0.9, decided: 0.5 })).toBeLessThan(-0.2);
  expect(blendScore(0, { words: 0.9, decided: 0 })).toBe(0);
});

describe("the stars", () => {
  test("decide where the text has no sentiment", () => {
    expect(sentimentOf("I opened it on Monday", { rating: 1 }).label).toBe("negative");
    expect(sentimentOf("I opened it on Monday", { rating: 5 }).label).toBe("positive");
  });

  test("raise the score step by step", () => {
    const scores = [1, 2, 3, 4, 5].map((rating) => sentimentOf("Useful", { rating }).score);
    expect(scores).toEqual(scores.toSorted((a, b) => a - b));
    expect(new Set(scores).size).toBe(5);
  });

  test("of one or five let only strong contradictions be mixed", () => {
    const plain = "I like the maps, but it is useless";
    expect(sentimentOf(plain, { rating: 3 }).label).toBe("mixed");
    expect(sentimentOf(plain, { rating: 1 }).label).toBe("negative");
    expect(sentimentOf("Nice maps, but it is useless", { rating: 5 }).label).toBe("mixed");
    expect(sentimentOf("Useful, but a little slow", { rating: 5 }).label).toBe("positive");
    expect(sentimentOf("Máy ảnh đẹp, nhưng hay bị lỗi", { rating: 4 }).label).toBe("mixed");
  });

  test("beyond the scale count as the end of it, and no number as none at all", () => {
    expect(sentimentOf("x", { rating: 99 })).toEqual(sentimentOf("x", { rating: 5 }));
    expect(sentimentOf("x", { rating: Number.NaN })).toEqual(sentimentOf("x", { rating: 0 }));
  });
});

test("the title counts as text", () => {
  expect(sentimentOf("", { title: "Terrible" }).label).toBe("negative");
});

test.each(["", " \n\t", "\u200b\ufe0f\u200d", "\u3164", "\u2800\u00ad"])(
  "text without anything visible has no sentiment and no topics: %j",
  (text) => {
    const input = { title: text, text, rating: 5, languageHint: null };
    expect(analyzeReview(input)).toMatchObject({ sentiment: null, topics: [], language: "und" });
  },
);
