// What German reviews call the topics: `_` is a blank, `*` an open end.
import type { TopicWords } from "../topics.ts";

export const german: TopicWords = {
  crash: `absturz abstürze* abgestürzt stürzt_ab stürzt_ständig_ab stürzt_immer_ab stürzt_dauernd_ab
    stürzt abzustürzen schließt_sich beendet_sich schmiert_ab stürzt_dauernd
    stürzt_immer_wieder_ab stürzt_beim stürzt_sofort_ab stürzt_regelmäßig_ab crasht crash*
    beendet_sich_selbst beendet_sich_von_selbst schließt_sich_von schließt_sich_selbst
    schliesst_sich beendet_sich_immer app_schließt geht_von_alleine_aus geht_einfach_aus
    schmiert_immer_ab schmiert_ständig_ab hängt_sich_auf startet_neu öffnet_sich_nicht
    öffnet_nicht_mehr lässt_sich_nicht_öffnen lässt_sich_nicht_mehr_öffnen
    lässt_sich_nicht_starten nicht_öffnen startet_nicht_mehr wird_beendet wurde_beendet
    friert_ein eingefroren hängt_sich friert einfrieren`,
  bug: `problem* geht_nichts lässt_sich_nicht öffnet_nicht startet_nicht unbrauchbar
    fehlgeschlagen behoben fehler fehlermeldung* bug bugs funktioniert_nicht geht_nicht
    funktioniert_nicht_mehr fehlerhaft* kaputt nicht_öffnen nicht_mehr_öffnen nicht_starten
    nicht_mehr_starten nicht_nutzen nicht_mehr_nutzen nicht_benutzen nicht_mehr_benutzen
    nicht_verwenden nicht_mehr_verwenden nicht_verbinden nicht_mehr_verbinden nicht_koppeln
    nicht_mehr_koppeln nicht_anmelden nicht_mehr_anmelden nicht_eingeben nicht_mehr_eingeben
    nicht_auswählen nicht_mehr_auswählen nicht_speichern nicht_mehr_speichern nicht_laden
    nicht_mehr_laden nicht_installieren nicht_mehr_installieren nicht_hinzufügen
    nicht_mehr_hinzufügen nicht_senden nicht_mehr_senden nicht_sehen nicht_mehr_sehen
    nicht_abspielen nicht_mehr_abspielen funktioniert_leider_nicht funktioniert_nich
    funktioniert_gar_nicht funktioniert_überhaupt_nicht funktioniert_einfach_nicht
    funktioniert_auch_nicht funktioniert_immer_noch_nicht funktioniert_bei_mir_nicht
    funktioniert_so_nicht funktioniert_das_nicht funktioniert_sie_nicht funktioniert_es_nicht
    funktioniert_hier_nicht nicht_funktioniert nicht_funktionieren nicht_funktionsfähig
    funktionieren_nicht funktionierte_nicht funktionierten_nicht hat_nicht_funktioniert
    nichts_funktioniert nix_funktioniert funktioniert_nichts funktioniert_nix funktioniert_kaum
    funktioniert_nur klappt_nicht klappt_leider_nicht klappt_nich klappt_einfach_nicht
    klappt_gar_nicht klappt_auch_nicht nicht_geklappt hat_nicht_geklappt funzt_nicht funzt
    geht_leider_nicht geht_nich geht_gar_nicht geht_nicht_mehr geht_auch_nicht geht_immer_noch_nicht
    geht_nix geht_gar_nichts geht_einfach_nicht läuft_nicht läuft_nicht_mehr tut_nicht
    tut_sich_nichts passiert_nichts passiert_nix nichts_passiert nicht_nutzbar nicht_brauchbar
    nicht_benutzbar nicht_verwendbar nicht_möglich leider_nicht_möglich unmöglich kann_man_nicht
    kann_ich_nicht kann_nicht kann_nichts kann_leider_nicht kann_leider_keine kann_die_app_nicht
    konnte_nicht konnte_keine kann_keine lässt_sich_leider_nicht lassen_sich_nicht lässt_mich_nicht
    keine_verbindung verbindung_nicht verbindung_klappt verbindung_zu verbindung_mit
    verbindungsfehler verbindungsproblem* verbindungsabbr* verbindet_nicht verbindet_sich_nicht
    nicht_verbunden bricht_ab abgebrochen abbruch nicht_gekoppelt nicht_erkannt erkennt_nicht
    wird_nicht_erkannt nicht_angezeigt zeigt_nicht zeigt_nichts zeigt_keine zeigt_immer
    zeigt_falsche falsch falsche falschen nicht_synchronisiert synchronisiert_nicht nicht_übertragen
    nicht_gezählt zählt_nicht zählt_keine nicht_geladen lädt_nicht lädt_nichts keine_daten daten_weg
    datenverlust gelöscht verschwunden verschwindet verloren fehlermeldung fehler_meldung
    server_fehler serverfehler störung störungen instabil unzuverlässig verbuggt buggy
    schwarzer_bildschirm weißer_bildschirm weisser_bildschirm bleibt_hängen hängt hängen_geblieben
    aufgehängt bleibt_schwarz bleibt_weiß defekt scheitert gescheitert fehlerhaft nutzlos
    reagiert_nicht reagiert_nicht_mehr keine_reaktion schlägt_fehl beheben bitte_beheben behebt
    repariert reparieren nachbessern nachbesserung nachgebessert springt_zurück zurückspring*
    lässt_sich_nicht_installieren installation nicht_installiert keine_funktion ohne_funktion
    nicht_funktionierend haut_nicht_hin komme_nicht_weiter kommt_nicht nicht_weiter kein_ton
    kein_bild`,
  performance: `langsam* ruckelt* lädt_ewig ladezeit* träge performance hakt lahm lahme lahmt lädt_lange
    lädt_ewig_lange lange_ladezeit* ladezeiten dauert_ewig dauert_lange dauert_zu_lange
    dauert_viel_zu_lange ruckeln ruckelig laggt laggy lags lag verzögert* verzögerung*
    überlastet reagiert_langsam speicherplatz speicherbedarf`,
  login: `anmelden anmeldung einloggen login passwort* ausgeloggt abgemeldet registrieren
    registrierung registrieren_nicht log_in logge loggt ausgeloggt_werden eingeloggt anmeldedaten
    angemeldet melde_mich benutzername zugangsdaten zugang freischalt* bestätigungscode verifizier*
    verifizierung tan pin konto_gesperrt account_gesperrt gesperrt konto_erstellen account_erstellen
    fingerabdruck face_id einwählen kennwort anzumelden`,
  pricing: `preis preise teuer* überteuert* kostet kosten günstig* kostenpflichtig* kostenlos*
    abzocke geldgier geldmacherei geldgeil geldverschwendung umsonst bezahlversion vollversion
    werbefrei_nur gratis rabatt* gebühr* wucher preis_leistung in-app-käufe in_app_käufe pay_to_win`,
  subscription: `abo abos abonnement* probezeit testphase premium probeabo kündigen kündigung
    gekündigt abonnieren abonniert mitgliedschaft monatlich jahresabo abofalle verlängert_sich`,
  ads: `werbung werbungen werbeanzeigen anzeigen_nerven reklame werbespots werbevideo*
    werbeeinblendung* werbe werbeunterbrechung* spam`,
  ui: `oberfläche design bedienung benutzeroberfläche übersichtlich* unübersichtlich* menü layout
    dunkelmodus bedienbar* bedienen benutzerfreundlich* umständlich* handhabung menüführung
    navigation ansicht anzeige darstellung grafik grafiken optik optisch aussehen schriftgröße
    schrift unlesbar button buttons knopf startseite verwirrend kompliziert intuitiv unintuitiv
    aufgeräumt dark_mode darkmode nachtmodus widget querformat icons farben gestaltung gestaltet
    selbsterklärend verständlich unverständlich nutzerfreundlich* anwenderfreundlich*`,
  featureRequest: `fehlt fehlen wünsche_mir wäre_es könnte_man leider_keine_möglichkeit bitte_noch
    nachrüsten bitte_hinzufügen ich_wünsche wünschenswert wäre_schön wäre_toll wäre_super wäre_gut
    es_fehlt mir_fehlt würde_mir_wünschen bitte_einbauen verbesserungsvorschlag nicht_unterstützt
    unterstützt_nicht unterstützt_nur unterstützt_leider unterstützt_mein* unterstützt_kein*
    unterstützt_werden unterstützt_wird unterstützung_für keine_unterstützung kein_support_für
    nicht_kompatibel inkompatibel kompatibilität kompatibel kompatible nicht_dabei nicht_aufgeführt
    nicht_gelistet nicht_aufgelistet nicht_vorhanden nicht_verfügbar nicht_vorgesehen
    nicht_enthalten nicht_in_der_liste nicht_angeboten nicht_zur_auswahl zur_auswahl mehr_auswahl
    auswahl_an keine_auswahl keine_möglichkeit keine_option keine_einstellung die_möglichkeit
    die_option es_wäre wäre_nett wäre_hilfreich wäre_cool wäre_sinnvoll wäre_besser
    wäre_wünschenswert wäre_klasse wäre_prima wäre_perfekt wäre_noch könnte_noch könnte_besser
    könntet_ihr könnten_sie könnt_ihr sollte_man sollte_es sollte_die_möglichkeit sollte_möglich
    sollten_noch müsste_man bitte_ergänzen bitte_erweitern bitte_um bitte_die bitte_auch bitte_mehr
    bitte_wieder bitte_ändern bitte_nachrüsten bitte_integrieren bitte_anpassen bitte_unterstützung
    bitte_einfügen hinzufügen integrieren integriert_werden ergänzt_werden erweitert_werden
    einbinden eingebunden erweitern erweiterung ausbaufähig verbesserungswürdig
    verbesserungspotenzial verbesserung verbesserungen vorschlag anregung wünschte wunsch vermisse
    vermisst hätte_gern hätte_gerne_noch würde_gerne_noch würde_ich_mir wenn_man_noch wenn_es_noch
    schön_wäre toll_wäre super_wäre besser_wäre warum_gibt_es gibt_es_nicht gibt_es_keine
    gibt_es_kein gibt_keine_möglichkeit warum_kann_man wann_kommt wann_gibt wann_wird
    folgt_hoffentlich hoffe_auf ich_hoffe hoffentlich_bald hoffentlich_wird hoffentlich_kommt
    noch_nicht_unterstützt brauche_ich benötigt_wird ich_brauche leider_keine leider_noch_kein*
    nur_für wird_nicht_angeboten wenig_auswahl nachrüstung`,
  update: `update updates aktualisierung* neue_version neuen_version letzten_version aktualisiert
    aktualisieren neuste_version neueste_version neuen_update alte_version alten_version
    vorherige_version vorversion versionen upgrade seit_dem_letzten deinstalliert_und`,
  notifications: `benachrichtigung* push pushnachrichten erinnerung* mitteilungen push_nachrichten
    push-nachrichten alarm wecker meldungen`,
  support: `kundendienst kundenservice support hotline keine_antwort kundenbetreuung hilfe_seite
    kein_support antwortet_nicht keine_rückmeldung keine_reaktion_vom meldet_sich_niemand
    meldet_sich_keiner e_mail_an kontaktformular ansprechpartner helpline keine_hilfe
    mail_geschrieben kontaktiert beschwerde entwickler antwort_vom`,
  privacy: `datenschutz* meine_daten überwachung ausspionier* persönliche_daten berechtigungen
    privatsphäre datenkrake datenkraken daten_sammeln datensammel* sammelt_daten datensicherheit
    daten_verkauf* daten_weitergegeben daten_abgreifen abzugreifen abgreif* anonym anonymität dsgvo
    zugriff_auf zugriffsrechte greift_auf tracking überwacht überwachen spionage spionier* standort
    zustimmen einwilligung personenbezogen* transparenz quellcode open_source persönlichen_daten
    sensible_daten zugangstoken berechtigung`,
  battery: `akku* batterie* stromverbrauch strom_verbrauch stromfresser saugt energieverbrauch
    handy_heiß wird_heiß`,
  payment: `zahlung* bezahlen bezahlung bezahlt abgebucht rückerstattung kreditkarte paypal
    geld_zurück überweisung* bezahlen_nicht zahlen gezahlt zahlungs* geld_weg geld_ab abbuchung*
    abgezogen rechnung lastschrift erstattung erstattet erstatten gekauft kauf käufe kaufen guthaben
    gutschein* kontoauszug`,
  content: `inhalt inhalte artikel videos filme lieder musik nachrichten rezepte folgen inhaltlich
    level levels spielinhalt* serien serie kanäle sender rätsel missionen quests charaktere
    geschichte handlung übungen kurse podcasts hörbücher lektionen beiträge auswahl_der events event
    spielspaß fragen_sind informationen information infos`,
  praise: `tolle_app super_app beste_app gute_app klasse_app perfekt* genial* großartig*
    hervorragend* liebe_diese liebe_die ausgezeichnet* sehr_gut sehr_gute super_sache tolle_sache
    klasse toll mega top spitze liebe_es wunderbar fantastisch beste_spiel gute_idee tolle_idee
    super_idee gerne_weiter weiter_so empfehlenswert sehr_zufrieden einwandfrei funktioniert_super
    funktioniert_gut funktioniert_einwandfrei funktioniert_tadellos macht_spaß`,
};
