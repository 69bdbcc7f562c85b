// One invented sentence per language, and the texts that must not be guessed.
import { describe, expect, test } from "vitest";
import { detectLanguage } from "./language-detector.ts";
import { normalizeText } from "./normalized-text.ts";
import { tokenize } from "./tokens.ts";

function detect(original: string, hint: string | null = null): string {
  const text = normalizeText(original);
  return detectLanguage({ text, tokens: tokenize(text) }, hint);
}

describe("detecting the language", () => {
  test.each([
    ["en", "It keeps telling me to sign in, what a pity"],
    ["es", "Desde ayer no puedo entrar en mi cuenta"],
    ["pt", "Não consigo entrar na minha conta desde ontem"],
    ["fr", "Depuis hier je ne peux plus ouvrir mon compte"],
    ["de", "Seit gestern kann ich mein Konto nicht mehr öffnen"],
    ["it", "Da ieri non riesco più ad aprire il mio conto"],
    ["id", "Sejak kemarin aplikasinya tidak bisa dibuka lagi"],
    ["nl", "Sinds gisteren kan ik mijn rekening niet meer openen"],
    ["pl", "Od wczoraj nie mogę się zalogować do aplikacji"],
    ["tr", "Dünden beri uygulama açılmıyor, lütfen düzeltin"],
    ["vi", "Từ hôm qua tôi không thể mở ứng dụng này"],
    ["cs", "Od včera se aplikace vůbec nedá otevřít"],
    ["sv", "Sedan igår kan jag inte öppna appen längre"],
    ["da", "Siden i går kan jeg ikke åbne appen, hvad nu?"],
    ["no", "Jeg får ikke logget meg inn etter oppdateringen"],
    ["fi", "Sovellus ei ole toiminut enää eilisen jälkeen"],
    ["ro", "De ieri nu mai pot să deschid această aplicație"],
    ["hu", "Tegnap óta nem lehet megnyitni ezt az alkalmazást"],
    ["ru", "Со вчерашнего дня не открывается"],
    ["uk", "Від учора нічого не відкривається, дуже шкода"],
    ["bg", "Приложението не се отваря след вчера"],
    ["ja", "昨日からアプリが開けません"],
    ["zh", "昨天开始就打不开了"],
    ["ko", "어제부터 앱이 열리지 않아요"],
    ["th", "เปิดแอปไม่ได้ตั้งแต่เมื่อวาน"],
    ["el", "Από χθες δεν ανοίγει"],
    ["he", "מאתמול לא נפתח"],
    ["ar", "لا يفتح منذ الأمس"],
    ["fa", "از دیروز برنامه باز نمی‌شود"],
    ["hi", "कल से नहीं खुल रहा"],
    ["bn", "গতকাল থেকে খুলছে না"],
    ["ta", "நேற்று முதல் திறக்கவில்லை"],
    ["te", "నిన్నటి నుండి తెరవడం లేదు"],
    ["ka", "გუშინდელიდან არ იხსნება"],
    ["hy", "Երեկվանից չի բացվում"],
  ])("%s is detected from one sentence: %s", (language, text) => {
    expect(detect(text)).toBe(language);
    expect(detect(text, "xx")).toBe(language);
  });

  test.each([
    ["en", "Good"],
    ["de", "GUT!!!"],
    ["es", "Bueno"],
    ["id", "MANTAAAAP"],
  ])("an unmistakable single word is enough: %s, %s", (language, text) => {
    expect(detect(text)).toBe(language);
  });

  test.each([
    ["id", "Aplikasinya gak bisa dibuka padahal kuota masih banyak banget"],
    ["id", "Mohon diperbaiki kak, saya tidak dapat masuk ke akun sendiri"],
    ["ms", "Kenapa tak boleh log masuk lepas kemas kini, teruk betul apl ni"],
    ["ms", "Sila betulkan apl ini kerana saya sentiasa perlu log masuk semula"],
  ])("Indonesian and Malay are kept apart: %s, %s", (language, text) => {
    expect(detect(text)).toBe(language);
  });

  test.each([
    ["id", "Bagus sih, but tolong diperbaiki karena setelah update selalu force close"],
    ["es", "La app está muy bien, pero el dark mode no funciona desde el update"],
    ["de", "Seit dem letzten Update ist das Login leider total buggy"],
    ["hi", "यह ऐप बहुत अच्छा है लेकिन login नहीं हो रहा"],
    ["ja", "アップデートしたらcrashばかりでloginできない"],
  ])("a text that borrows from English keeps its language: %s, %s", (language, text) => {
    expect(detect(text)).toBe(language);
  });

  test.each([
    ["hi", "bahut accha app hai"],
    ["hi", "mast app hai bhai"],
    ["hi", "ye app bilkul bekar hai, paisa waste"],
    ["es", "No funciona"],
    ["es", "no abre"],
    ["en", "This app is not working on my phone"],
  ])("short texts and Hindi in Latin letters: %s, %s", (language, text) => {
    expect(detect(text)).toBe(language);
  });

  test.each([
    "Ke rata go bala dibuka ka malatsi otlhe",
    "Ndinofarira kuverenga mabhuku ose emusha wedu",
  ])("a language that it does not know is not guessed: %s", (text) => {
    expect(detect(text)).toBe("und");
  });

  test("capitals change nothing", () => {
    expect(detect("ICH KANN MICH NICHT MEHR ANMELDEN")).toBe("de");
    expect(detect("НЕ МОГУ ВОЙТИ В АККАУНТ")).toBe("ru");
  });

  test.each(["", "👍👍", "10/10 !!!", "ok", "Xqzt", "super", "lol"])(
    "%j is not guessed",
    (text) => {
      expect(detect(text)).toBe("und");
      expect(detect(text, "pt-BR")).toBe("pt");
    },
  );

  test("a product's Latin name inside a text of another script doesn't count", () => {
    expect(detect("WhatsAppが開けない")).toBe("ja");
    expect(detect("微信WeChat很好用")).toBe("zh");
  });

  test("where the characters leave a choice, the hint decides", () => {
    expect(detect("便利", "ja")).toBe("ja");
    expect(detect("便利")).toBe("zh");
  });

  test.each([
    ["fr", "Application lente"],
    ["fr", "Application instable"],
    ["fr", "Interface intuitive"],
    ["fr", "Beaucoup de crashs"],
    ["fr", "Impossible a installer"],
    ["fr", "Excellent service"],
    ["fr", "Application stable"],
    ["fr", "Version stable"],
    ["fr", "Notifications absentes"],
    ["en", "Excellent service"],
    ["en", "Application stable"],
    ["en", "Version stable"],
    ["de", "App instabil"],
    ["de", "App nutzlos"],
    ["de", "Service miserabel"],
    ["de", "Display defekt"],
    ["it", "App instabile"],
    ["it", "Interfaccia intuitiva"],
    ["it", "Versione instabile"],
    ["it", "App inutile"],
    ["fr", "App inutile"],
    ["pt", "Simples e intuitivo"],
    ["pt", "Excelente aplicativo"],
    ["pt", "Ótimo app"],
    ["es", "App super lenta"],
    ["es", "Excelente"],
    ["pt", "Excelente"],
    ["nl", "App te traag"],
    ["no", "Virker ikke"],
    ["da", "Virker ikke"],
    ["cs", "Super aplikace"],
    ["pl", "Super"],
    ["id", "Aplikasi ok"],
    ["sv", "Super bra"],
  ])("the hint %s decides what few words leave open: %s", (hint, text) => {
    expect(detect(text, hint)).toBe(hint);
  });

  test.each([
    ["en", "The app is great", "fr"],
    ["en", "This keeps crashing", "es"],
    ["en", "I love it", "de"],
    ["en", "Works fine", "it"],
    ["en", "Great app", "pt"],
    ["en", "Very slow", "fr"],
    ["de", "Die App ist super", "en"],
    ["de", "Funktioniert nicht", "nl"],
    ["nl", "Werkt niet goed", "de"],
    ["es", "No funciona nada", "en"],
    ["fr", "Ne marche pas du tout", "en"],
    ["it", "Non funziona", "es"],
    ["pt", "Não funciona", "es"],
    ["sv", "Fungerar inte", "da"],
    ["cs", "Nefunguje to", "pl"],
    ["pl", "Nie działa", "cs"],
    ["uk", "Не працює", "ru"],
    ["ru", "Не работает", "uk"],
    ["id", "Tidak bisa dibuka", "ms"],
    ["ja", "開けません", "zh"],
  ])("a clear text is %s whatever the hint: %s, %s", (language, text, hint) => {
    expect(detect(text, hint)).toBe(language);
  });

  test("obsolete codes are read as today's, and an invalid code is ignored", () => {
    expect(detect("👍", "in_ID")).toBe("id");
    expect(detect("👍", "iw")).toBe("he");
    expect(detect("👍", "english please")).toBe("und");
    expect(detect("👍", "")).toBe("und");
  });
});
