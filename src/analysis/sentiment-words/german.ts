// Words of praise and blame in German reviews: `_` is a blank, `*` an open end.
import type { SentimentWords } from "../sentiment-lexicon.ts";

export const german: SentimentWords = {
  best: `liebe perfekt* fantastisch* hervorragend* genial* großartig* grossartig* ausgezeichnet*
    beste bester bestes begeistert* überragend* einwandfrei* spitze spitzenmäßig mega hammer
    absolut_top sensationell* wunderbar*`,
  good: `gut gute guter gutes guten super toll* prima klasse schön schöne schönes schöner nett* cool*
    einfach_zu praktisch* hilfreich* nützlich* sinnvoll* empfehle empfehlenswert* zufrieden
    freundlich* übersichtlich* schnell funktioniert_gut funktioniert_super
    funktioniert_einwandfrei läuft_gut läuft_super läuft_einwandfrei läuft_stabil läuft_rund
    tadellos* gefällt gelungen* spaß macht_spaß geil* top wichtig* sicher benutzerfreundlich*
    nicht_schlecht gar_nicht_schlecht kein_problem keine_probleme problemlos* daumen_hoch
    weiter_so klappt interessant* unkompliziert* hilft informativ* gutem freue freut super_app
    tolle toller tolles zuverlässig* stabil* angenehm* durchdacht* hübsch* ansprechend*
    intuitiv* unterhaltsam* lustig* spannend* fair faire kostenlos_und wertvoll* hilfreiche
    nutze_ich_gerne gerne lohnt lohnt_sich bin_begeistert mag sauber* flott* erleichtert
    vorbildlich* dankbar lobenswert* besser_als verbessert gelöst passt bestens wunderschön* süß
    perfekte einfache_bedienung einfach_und leicht_zu richtig_gut sehr_gut ganz_gut`,
  mildGood: "danke ok okay funktioniert läuft",
  bad: `schlecht* langsam* langweilig* nervt nervig* enttäuscht* enttäuschend* enttäuschung abst*
    stürzt fehler fehlermeldung* fehlerhaft* bug bugs buggy hängt ruckelt* problem probleme
    funktioniert_nicht funktioniert_leider_nicht funktioniert_nicht_mehr funktioniert_gar_nicht
    funktioniert_überhaupt_nicht geht_nicht geht_nicht_mehr geht_gar_nicht geht_leider_nicht
    geht_nix läuft_nicht klappt_nicht startet_nicht öffnet_nicht lädt_nicht lässt_sich_nicht
    gefällt_mir_nicht gefällt_nicht kaputt umständlich* kompliziert* unübersichtlich*
    unbrauchbar* teuer* überteuert* leider schade ärgerlich* unmöglich* nicht_möglich
    keine_funktion verschwendung deinstalliert* gelöscht werbung_ohne_ende zu_viel_werbung
    nicht_zu_empfehlen nicht_empfehlenswert abgezockt unzufrieden verschlimmbessert absturz
    keine_verbindung blödsinn quatsch sinnlos* unsinn* überflüssig* nicht_kompatibel inkompatib*
    nicht_unterstützt zwang panikmache überwachung abgestürzt stürzt_ab bricht_ab einfrieren
    friert hängen_geblieben unfreundlich* verbuggt nervige nervend stört störend* zu_teuer
    abzocke_pur langweilt fehlt fehlen fehlende verloren verschwunden blockiert gesperrt
    abgebrochen vergeblich mangelhaft* dürftig* schwach* lästig* unnötig* unzuverlässig*
    ungenau* falsch* veraltet* enttäuscht_mich keine_antwort niemand_antwortet keine_reaktion
    keine_hilfe stürzte ruckelig akku_leer akkufresser leert zieht_akku werbung_nervt
    nur_werbung zu_viel zu_lange dauert_ewig dauert_zu_lange ewig lädt_ewig verwirrend*
    schwierig* komisch* sinnfrei bescheuert* nicht_gut nicht_nutzbar nicht_brauchbar
    nicht_sinnvoll nicht_mehr_nutzbar nicht_empfehlen abgelehnt zwangs* angst misstrauen
    bedenklich* unsicher* datenschutz_bedenken gescheitert scheitert verweigert funktionslos
    inaktiv hakt hakelig wartezeit`,
  worst: `schrott müll mist dreck scheiße scheiss* scheiß* katastrophe katastrophal* furchtbar*
    schrecklich* grauenhaft* nutzlos* abzocke betrug frechheit unverschämt* schlechteste*
    miserabel* unterirdisch* finger_weg totaler_reinfall null_sterne saftladen lächerlich*
    geldverschwendung wertlos* schlimm schlimmste* grottenschlecht* grottig* unbenutzbar*
    lachhaft* dumm idiotisch* betrüger verarsch* verarscht kotz* hasse absolut_unbrauchbar
    totalausfall fehlkonstruktion blamage peinlich* armselig* erbärmlich*`,
  negators: `nicht kein keine keinen keiner nie niemals ohne nichts keinerlei weder nicht_mehr wenig`,
};
