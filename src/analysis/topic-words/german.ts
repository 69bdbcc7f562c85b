// What German reviews call the topics: `_` is a blank, `*` an open end.
import type { TopicWords } from "../topics.ts";

export const german: TopicWords = {
  crash: `absturz abstürze* abgestürzt stürzt_ab stürzt_ständig_ab stürzt_immer_ab stürzt_dauernd_ab
    stürzt abzustürzen schließt_sich beendet_sich schmiert_ab`,
  bug: `problem* geht_nichts lässt_sich_nicht öffnet_nicht startet_nicht unbrauchbar
    fehlgeschlagen behoben fehler fehlermeldung* bug bugs funktioniert_nicht geht_nicht
    funktioniert_nicht_mehr fehlerhaft* kaputt`,
  performance: `langsam* ruckelt* hängt_sich lädt_ewig friert_ein eingefroren ladezeit* träge performance
    hakt`,
  login: `anmelden anmeldung einloggen login passwort* ausgeloggt abgemeldet registrieren
    registrierung`,
  pricing: "preis preise teuer* überteuert* kostet kosten günstig* kostenpflichtig* kostenlos*",
  subscription: "abo abos abonnement* probezeit testphase premium probeabo",
  ads: "werbung werbungen werbeanzeigen anzeigen_nerven reklame",
  ui: `oberfläche design bedienung benutzeroberfläche übersichtlich* unübersichtlich* menü layout
    dunkelmodus`,
  featureRequest: `fehlt fehlen wünsche_mir wäre_es könnte_man leider_keine_möglichkeit bitte_noch nachrüsten
    bitte_hinzufügen ich_wünsche wünschenswert wäre_schön wäre_toll wäre_super wäre_gut
    es_fehlt mir_fehlt würde_mir_wünschen bitte_einbauen verbesserungsvorschlag`,
  update: "update updates aktualisierung* neue_version neuen_version letzten_version",
  notifications: "benachrichtigung* push pushnachrichten erinnerung*",
  support: "kundendienst kundenservice support hotline keine_antwort kundenbetreuung",
  privacy: "datenschutz* meine_daten überwachung ausspionier* persönliche_daten berechtigungen",
  battery: "akku* batterie*",
  payment: `zahlung* bezahlen bezahlung bezahlt abgebucht rückerstattung kreditkarte paypal
    geld_zurück überweisung*`,
  content: "inhalt inhalte artikel videos filme lieder musik nachrichten rezepte folgen",
  praise: `tolle_app super_app beste_app gute_app klasse_app perfekt* genial* großartig*
    hervorragend* liebe_diese liebe_die ausgezeichnet*`,
};
