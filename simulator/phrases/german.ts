// Invented reviews in German.
import type { PhraseBook } from "./phrase-book.ts";

export const german: PhraseBook = {
  nicknames: [
    "Waldkauz",
    "jonas_m",
    "Frau Holm",
    "Tüftler82",
    "lena.b",
    "Nordlicht",
    "kaffeepause",
  ],
  slots: {
    device: ["Tablet", "alten Handy", "neuen Handy", "Diensthandy"],
    feature: ["der Kalender", "das Widget", "die Suche", "der Dunkelmodus", "der Export"],
    time: ["einer Woche", "drei Monaten", "zwei Jahren", "einem halben Jahr"],
    price: ["2,99 im Monat", "40 Euro im Jahr", "5 Euro"],
  },
  praise: [
    ["Klasse App", "Nutze sie seit {time} jeden Tag, läuft einwandfrei. Besonders gut: {feature}."],
    ["Sehr übersichtlich", "Schnell, aufgeräumt und ohne Schnickschnack. Genau so muss das sein."],
    ["Endlich", "Nach langem Suchen die richtige App gefunden. {price} ist sie mir wert."],
    ["Toller Support", "Frage gestellt und am selben Tag eine freundliche Antwort bekommen."],
    ["Läuft flüssig", "Startet selbst auf meinem {device} sofort. Das neue Design gefällt mir."],
  ],
  mixed: [
    ["Gut, aber teuer", "Eigentlich gefällt mir die App sehr, aber {price} finde ich zu viel."],
    [
      "Fast perfekt",
      "Schöne App. Es fehlen nur noch Erinnerungen nach Ort, dann gibt es fünf Sterne.",
    ],
    [
      "Durchwachsen",
      "Funktioniert auf meinem {device}, aber der Akku ist seit {version} schnell leer.",
    ],
  ],
  complaints: [
    ["Zu viel Werbung", "Nach jedem Antippen kommt Werbung über den ganzen Bildschirm. Nervig."],
    [
      "Notizen weg",
      "Die Synchronisierung hat alles gelöscht, was ich seit {time} eingetragen habe.",
    ],
    ["Langsam", "Braucht auf meinem {device} ewig zum Starten. Früher ging das schneller."],
    ["Abofalle", "Probeabo gekündigt und trotzdem wurden {price} abgebucht. Frechheit."],
    ["Keine Erinnerungen", "Benachrichtigungen kommen Stunden zu spät oder gar nicht."],
    ["Schlechtes Update", "Warum wurde alles umgebaut? Ich finde nichts mehr wieder."],
  ],
  outrage: [
    ["Stürzt ab", "Seit {version} stürzt die App bei jedem Start ab. Bitte schnell beheben!"],
    ["Anmeldung geht nicht", "Nach dem Update auf {version} komme ich nicht mehr in mein Konto."],
    ["Unbrauchbar", "Weißer Bildschirm, dann geht sie zu. Neu installiert, hilft nichts."],
  ],
  more: {
    good: ["Klare Empfehlung.", "Danke an die Entwickler!", "Weiter so.", "Macht Spaß."],
    bad: ["Sehr enttäuschend.", "Suche jetzt etwas anderes.", "Bitte dringend nachbessern."],
  },
  replies: ["Danke für den Hinweis. Mit der neuesten Version sollte das behoben sein."],
};
