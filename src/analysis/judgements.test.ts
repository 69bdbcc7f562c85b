// Invented reviews that word lists alone misread: negated trouble, praise of the past, bare requests, contrasts.
import { expect, test } from "vitest";
import { analyzeReview } from "./analyze.ts";

const read = (text: string, rating = 0) =>
  analyzeReview({ title: null, text, rating, languageHint: null });

test.each([
  ["positive", "Never had a single problem with it, I recommend it"],
  ["positive", "It has not let me down in two years"],
  ["positive", "Nie ein Problem gehabt, lässt mich nicht im Stich"],
  ["positive", "Mai avuto problemi, non delude"],
  ["positive", "Nunca me ha fallado, ninguna queja"],
  ["positive", "कोई दिक्कत नहीं आई, बढ़िया ऐप है"],
  ["negative", "This used to be a great app"],
  ["negative", "Früher war die App mal gut"],
])("%s: %s", (label, text) => {
  expect(read(text).sentiment?.label).toBe(label);
});

test.each([
  "Please add a widget for the lock screen",
  "Is there a way to export the list?",
  "Könntet ihr einen dunklen Modus hinzufügen?",
  "Por favor agreguen un modo sin conexión",
])("a text that only asks is neutral, whatever its stars: %s", (text) => {
  for (const rating of [0, 1, 3, 5]) expect(read(text, rating).sentiment?.label).toBe("neutral");
});

test.each(["Why does it crash whenever I open the map?", "Terrible, please add the old map again"])(
  "a question about a fault and a wish with blame are not: %s",
  (text) => {
    expect(read(text).sentiment?.label).toBe("negative");
  },
);

test.each([
  ["ui", "Die Anzeige bleibt auf null stehen"],
  ["privacy", "Meine Daten vom Sensor fehlen"],
  ["privacy", "Tracking my parcel works"],
  ["content", "Best app in the world"],
  ["ui", "The cute dog says hello"],
])("no %s: %s", (topic, text) => {
  expect(read(text).topics).not.toContain(topic);
});

test.each([
  ["nl", "crash", "De app loopt steeds vast"],
  ["pl", "ads", "Za dużo reklam"],
  ["sv", "login", "Jag kan inte logga in sedan igår kväll"],
  ["da", "support", "Kundeservice svarer aldrig"],
  ["no", "battery", "Appen tapper batteriet på telefonen hver dag"],
  ["fi", "update", "Uusin päivitys rikkoi kaiken"],
  ["cs", "subscription", "Předplatné se nedá zrušit"],
  ["ro", "payment", "Mi-au luat banii de pe card de două ori"],
  ["hu", "notifications", "Nem jönnek az értesítések"],
  ["uk", "crash", "Додаток вилітає щоразу"],
  ["el", "ads", "Πάρα πολλές διαφημίσεις"],
  ["ar", "update", "بعد التحديث صار سيئ"],
  ["fa", "login", "رمز عبور را قبول نمی‌کند و وارد نمیشه"],
  ["he", "battery", "האפליקציה גומרת את הסוללה"],
  ["hi", "ads", "बहुत ज्यादा विज्ञापन आते हैं"],
  ["th", "notifications", "การแจ้งเตือนไม่เด้งเลย"],
  ["tl", "performance", "Ang bagal ng app na ito kapag binubuksan"],
])("%s: %s in %s", (language, topic, text) => {
  expect(read(text)).toMatchObject({ language, topics: expect.arrayContaining([topic]) });
});

test.each([
  ["The sync problem is solved, thanks", "The sync problem was never solved"],
  ["Das Problem mit der Synchronisierung ist gelöst", "Das Problem ist immer noch nicht gelöst"],
  ["Le bug de synchronisation a été corrigé", "Le problème n'est toujours pas résolu"],
  ["El problema fue solucionado en un día", "El problema sigue sin resolverse"],
  ["Resolveram o problema", "O problema ainda não foi resolvido"],
  ["Hanno risolto il problema", "Non hanno corretto l'errore"],
  ["Баги исправлены", "Проблема так и не решена"],
  ["Het probleem is opgelost", "Probleem nog steeds niet opgelost"],
  ["Błędy zostały naprawione", "Błędy nie zostały naprawione"],
  ["Giriş sorunu giderildi", "Giriş sorunu giderilmedi"],
  ["不具合が直りました", "不具合が直っていません"],
  ["오류가 고쳐졌어요", "문제가 아직 해결되지 않았어요"],
])("trouble that is over is good, and trouble that is not is bad: %s", (over, stays) => {
  expect(read(over).sentiment?.label).toBe("positive");
  expect(read(stays).sentiment?.label).toBe("negative");
});

test("a bug that is fixed was one", () => {
  expect(read("Le bug a été corrigé rapidement, merci").topics).toContain("bug");
});

test.each([
  "such a poor tool",
  "völlig nutzlos",
  "muy mala aplicación",
  "application inutile",
  "applicazione pessima",
  "aplicativo muito ruim",
  "очень плохое приложение",
  "aplikasi jelek",
  "全然使えない",
  "정말 별로예요",
])("a few words of blame are not positive under four and five stars: %s", (text) => {
  const scores = [1, 3, 4, 5].map((rating) => read(text, rating).sentiment?.score ?? 0);
  expect(read(text, 5).sentiment?.label).not.toBe("positive");
  expect(scores).toEqual(scores.toSorted((one, other) => one - other));
});

test.each([
  "The ugliest app ever made, it deletes my notes",
  "Was a great app. Now it is broken, slow and full of errors",
  "Great, another crash. Terrible update, uninstalled",
])("a clearly negative review has no praise: %s", (text) => {
  const found = read(text, 1);
  expect(found.sentiment?.label).toBe("negative");
  expect(found.topics).not.toContain("praise");
});

test.each([
  "It crashes on every start, the support never answers and my money is gone, terrible",
  "Seit dem Update stürzt sie dauernd ab, nichts funktioniert, absolut unbrauchbar und der Support ist eine Frechheit",
])("a clear complaint stays one under five stars: %s", (text) => {
  expect(read(text, 5).sentiment?.label).toBe("negative");
});

test.each([
  "Der Akku hält wieder den ganzen Tag",
  "La batería vuelve a durar todo el día",
  "Baterai tahan lama sekarang",
  "バッテリーがまた一日もちます",
  "배터리가 다시 하루 종일 갑니다",
])("the name of a thing that can fail is not blame: %s", (text) => {
  expect(read(text, 5).sentiment?.label).toBe("positive");
});

test.each([
  ["bug", "No errors at all, lovely"],
  ["bug", "Zero bugs, great work"],
  ["bug", "Bisher keine Fehler, klasse"],
  ["bug", "Ningún error en un año, genial"],
  ["bug", "Aucun bug, parfait"],
  ["feature_request", "Nothing is missing, great"],
  ["feature_request", "Non manca niente, bella"],
  ["praise", "The least useful thing I ever paid for"],
])("a mention that means its opposite has no %s: %s", (topic, text) => {
  expect(read(text).topics).not.toContain(topic);
});

test.each([
  "No problem for years, but now the login fails",
  "Never had a bug before, now it loses my notes and shows an error",
])("trouble beside its absence is still trouble: %s", (text) => {
  expect(read(text).topics).toContain("bug");
});

test.each([
  ["feature_request", "Still no way to sort the list"],
  ["feature_request", "Wo bleibt die Version fürs Tablet?"],
  ["feature_request", "Aún no hay modo oscuro"],
  ["bug", "The radio cuts out when I lock the screen"],
  ["bug", "El vídeo no pasa del primer minuto"],
  ["bug", "La musique se coupe au bout d'une minute"],
])("%s without its usual words: %s", (topic, text) => {
  expect(read(text).topics).toContain(topic);
});

test.each(["impossible to open", "super application, very practical", "excellent service"])(
  "short English is not French: %s",
  (text) => {
    expect(["en", "und"]).toContain(read(text).language);
  },
);

test.each([
  [
    "ja",
    "いつもお世話になっております。",
    "最近ログインできなくなりました。",
    "よろしくお願いいたします。",
  ],
  ["ja", "いつも利用させて頂いています。", "急に起動しなくなりました。", "お手数ですが修正を。"],
  ["fr", "Bonjour,", "l'application se ferme toute seule.", "Merci d'avance, cordialement"],
  ["es", "Hola, buenas tardes,", "la aplicación no abre.", "Gracias de antemano"],
  ["de", "Guten Tag,", "die App stürzt beim Start ab.", "Vielen Dank im Voraus, freundliche Grüße"],
  ["en", "Hello dear team,", "it closes as soon as I open it.", "Thanks in advance, kind regards"],
  ["pt", "Bom dia,", "o aplicativo não abre mais.", "Desde já agradeço"],
  ["it", "Buongiorno,", "l'app si chiude da sola.", "Grazie in anticipo, cordiali saluti"],
  ["ru", "Здравствуйте,", "приложение не запускается.", "Заранее спасибо"],
  ["ko", "안녕하세요.", "앱이 자꾸 꺼져요.", "수고하세요"],
  ["nl", "Goedemorgen,", "de app crasht steeds.", "Alvast bedankt"],
  ["pl", "Dzień dobry,", "aplikacja się nie otwiera.", "Z góry dziękuję, pozdrawiam"],
  ["tr", "Merhabalar,", "uygulama açılmıyor.", "Şimdiden teşekkürler, iyi günler"],
  ["id", "Selamat siang,", "aplikasi tidak bisa dibuka.", "Terima kasih sebelumnya"],
])("courtesies around a complaint do not praise: %s, %s", (_, greeting, complaint, thanks) => {
  for (const rating of [0, 1, 3]) {
    const { sentiment, topics } = read(`${greeting} ${complaint} ${thanks}`, rating);
    expect(sentiment?.label).toBe("negative");
    expect(topics).not.toContain("praise");
  }
});

test("a review of courtesies alone is read as it is", () => {
  expect(read("Bonjour et bienvenue", 5)).toMatchObject({
    sentiment: { label: "positive" },
    topics: [],
  });
  expect(read("Hello", 5).topics).toEqual([]);
});
