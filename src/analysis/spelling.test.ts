// Pairs of a misspelt and the right word, and words that must stay as they are.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { anyText } from "../../test/support/any-text.ts";
import { analyzeReview, findTopicEvidence } from "./analyze.ts";
import { normalizeText } from "./normalized-text.ts";
import { prepareSearch } from "./phrase-finder.ts";
import { findMisspelt, likelyEdit, priceOfEdit } from "./spelling.ts";

/** By language; the right words without accents. */
const pairs: Readonly<Record<string, string>> = {
  en: "craching>crashing notificatons>notifications pasword>password subcription>subscription recieve>receive updaet>update awsome>awesome frezes>freezes advertisments>advertisements erorr>error",
  de: "funktionirt>funktioniert anmeldnug>anmeldung regestrieren>registrieren aktualisirung>aktualisierung benachrichtigugen>benachrichtigungen instalieren>installieren",
  es: "actualisacion>actualizacion publisidad>publicidad trajeta>tarjeta funsiona>funciona exselente>excelente sesoin>sesion tranferencia>transferencia",
  fr: "aplication>application conexion>connexion inpossible>impossible desinstaler>desinstaller domage>dommage notificatons>notifications",
  it: "agiornamento>aggiornamento publicità>pubblicita notifche>notifiche pasword>password funziuna>funziona abonamento>abbonamento",
  pt: "atualisação>atualizacao propagamda>propaganda asinatura>assinatura fucniona>funciona",
  nl: "advertensies>advertenties geweldg>geweldig meldigen>meldingen",
  pl: "reklamm>reklam aktualizaja>aktualizacja powiadomenia>powiadomienia",
  cs: "aktualisace>aktualizace reklma>reklam",
  sv: "uppdaterng>uppdatering funngerar>fungerar annonsser>annonser lösennord>lösenord",
  da: "opdaterng>opdatering reklammer>reklamer abonnementt>abonnement",
  no: "oppdaterng>oppdatering reklamme>reklame funngerer>fungerer",
  fi: "mainoksija>mainoksia toimmii>toimii",
  ro: "actualizrea>actualizarea reclamme>reclame abonamnet>abonament",
  hu: "hirdettés>hirdetes jelszzó>jelszo",
  tr: "rekllam>reklam bildirrim>bildirim mükkemmel>mükemmel",
  id: "aplikasii>aplikasi notifkasi>notifikasi langanan>langganan",
  tl: "napakagandda>napakaganda maggaling>magaling updaet>update",
  ru: "вылитает>вылетает преложение>приложение уведомленя>уведомления рекалма>реклама работаит>работает подпсика>подписка",
  uk: "рекалма>реклама працюэ>працює",
  el: "ενημέροση>ενημερωση",
  ar: "الاعلاناات>الاعلانات",
  he: "פרסוומות>פרסומות",
  fa: "بروزرساانی>بروزرساني",
};

/** Words that resemble one of the lists. */
const right: Readonly<Record<string, string>> = {
  en: "crush crushed adds sing lunch unblock greyed brush clash trash loading couldn't prize singing payed",
  de: "große größer schließen problemlos gesendet Anzeige anzusehen Werkzeug",
  es: "clabe cuenta caída chida carga pagina publicar notario",
  fr: "lite liste couper publier notion conteste",
  it: "contare pubblico lenta lente notizia",
  pt: "conta contato trave notícia",
  nl: "melding meiden reclame rekening",
  pl: "reklama klamra hasło",
  ru: "сапер супер вход выход реклама ремарка выключает",
  id: "masuk masak bayar bagus",
};

function correct(original: string, language: string): string[] {
  return findMisspelt(prepareSearch(normalizeText(original)), language).map(({ word }) => word);
}

const split = (words: string) => words.split(" ");
const analyze = (text: string) =>
  analyzeReview({ title: null, text, rating: 0, languageHint: null });

describe("a misspelt word", () => {
  const listed = Object.entries(pairs).flatMap(([language, words]) =>
    split(words).map((pair) => [language, ...pair.split(">")]),
  );
  test.each(listed)("in %s, %s is read as %s", (language = "", typed = "", word = "") => {
    expect(correct(typed, language)).toEqual([word]);
  });

  test.each(
    Object.entries(right).flatMap(([language, words]) =>
      split(words).map((word) => [language, word]),
    ),
  )("%s knows %s", (language = "", word = "") => {
    expect(correct(word, language)).toEqual([]);
  });

  test("costs less if the edit is a likely one", () => {
    for (const typed of ["craching", "crashhing", "crahsing", "crashng", "creshing"])
      expect(priceOfEdit(typed, "crashing"), typed).toBe(likelyEdit);
    for (const typed of ["crasping", "crahing", "crakshing"])
      expect(priceOfEdit(typed, "crashing"), typed).toBeGreaterThan(likelyEdit);
  });

  test.each([
    ["crash", "it is craching all the time"],
    ["crash", "Crushes every time I open the map"],
    ["ads", "too much adds"],
    ["login", "I can't sing in any more"],
    ["notifications", "no notificatons since monday"],
    ["subscription", "how do I cancel my subcription?"],
    ["crash", "no habre en mi teléfono"],
    ["login", "Leider ist kein Regestrieren möglich"],
  ])("has the topic %s of the right one: %s", (topic, text) => {
    expect(analyze(text).topics).toContain(topic);
  });

  test.each([
    ["crash", "Candy crush is my favourite"],
    ["ads", "it adds songs to my playlist"],
    ["login", "I love to sing along"],
  ])("is not found in a word with another sense: no %s in %s", (topic, text) => {
    expect(analyze(text).topics).not.toContain(topic);
  });

  test("is shown as people wrote it", () => {
    const text = "So many things, it is craching again and again";
    const evidence = findTopicEvidence({ title: null, text, rating: 1, languageHint: null });
    const [crash] = evidence.filter(({ topic }) => topic === "crash");
    expect(crash).toMatchObject({ words: "craching", start: text.indexOf("craching") });
  });

  test("has a position in the text, whatever the text is", () => {
    fc.assert(
      fc.property(anyText(), fc.constantFrom("en", "de", "ru", "xx"), (text, language) => {
        const searched = prepareSearch(normalizeText(text));
        let last = 0;
        for (const { start, end } of findMisspelt(searched, language)) {
          expect(start).toBeGreaterThanOrEqual(last);
          expect(end).toBeGreaterThan(start);
          last = end;
        }
        expect(last).toBeLessThanOrEqual(searched.text.length);
      }),
    );
  });
});
