// What Italian reviews call the topics: `_` is a blank, `*` an open end.
import type { TopicWords } from "../topics.ts";

export const italian: TopicWords = {
  crash: `crash* si_chiude si_chiude_da_sola si_chiude_da_solo chiusura_improvvisa arresto_anomalo
    si_chiude_sempre si_chiude_subito si_chiude_continuamente si_chiude_all'improvviso
    chiude_da_sola continua_a_chiudersi va_in_crash crasha crashano si_arresta si_spegne_da_sola
    si_riavvia non_si_avvia non_parte non_si_apre_più non_si_apre`,
  bug: `problema problemi non_si_apre non_riesco bug errore errori non_funziona non_va
    smesso_di_funzionare malfunzionament* non_funzionano non_funzionava non_funziona_più
    non_funziona_bene non_va_più non_riesco_a non_riesco_più non_riesce non_si_riesce non_si_può
    non_posso non_mi_permette non_permette non_mi_fa non_fa_più non_carica non_si_carica
    non_si_collega non_si_connette non_sincronizza non_si_sincronizza non_aggiorna non_si_aggiorna
    non_salva non_invia non_riceve non_ricevo non_arriva non_arrivano non_risponde non_riconosce
    non_rileva non_trova non_si_vede non_si_vedono non_si_sente non_parte non_compare non_appare
    non_scarica non_installa impossibile sbagliat* errat* scorrett* inesatt* imprecis* sparit*
    scompar* perso_tutto ho_perso cancellat* schermata_nera schermata_bianca schermo_nero
    schermo_bianco instabile inaffidabile inutilizzabile difett* guast* malfunziona dà_errore
    da_errore mi_dà_errore messaggio_di_errore sistemate sistemare correggete correggere risolvete
    risolvere bloccato si_blocca in_manutenzione manutenzione fuori_servizio disconnette
    si_disconnette connessione_persa reinstallare reinstallato buggata buggato rotto rotta duplicat*`,
  performance: `lenta lento lentissim* si_blocca bloccata non_carica rallent* lag lentissima
    lentissimo lente lenti lentezza rallentamenti laggare lagga lagg scatta a_scatti ci_mette_troppo
    ci_mette_tanto tempi_di_caricamento caricamento pesante occupa_troppo memoria spazio_di`,
  login: `accesso accedere login password registrazione registrarsi credenziali loggare loggarsi
    autenticazione codice_di_verifica codice_sms sms verifica account_bloccato account_sospeso
    bloccato_il_mio recuperare_l'account impronta riconoscimento_facciale spid registrarmi
    iscriversi iscrizione entrare_nel entrare_nell'app accedo nome_utente disconnesso`,
  pricing: `prezzo prezzi cara caro costos* costa gratis gratuita gratuito a_pagamento costosa
    costoso costose troppo_cara troppo_caro soldi_buttati truffa economico economica costo costi
    sconto sconti commissioni tariffa tariffe gratuitamente acquisti_in-app`,
  subscription: `abbonament* abbonar* prova_gratuita premium abbonato abbonati abbonarsi disdire
    disdetta rinnovo rinnovo_automatico mensile annuale periodo_di_prova`,
  ads: `pubblicità annunci pubblicitari* spot pubblicita annuncio inserzioni spam
    troppa_pubblicità banner`,
  ui: `interfaccia grafica design navigazione modalità_scura intuitiv* layout grafico grafiche
    interfacce facile_da_usare semplice_da_usare difficile_da_usare intuitiva complicata complicato
    confusionaria confusa aspetto menù menu pulsante pulsanti tasto tasti icona icone caratteri
    colori tema_scuro schermata_principale widget usabilità esteticamente bella_grafica
    poco_intuitiva macchinosa`,
  featureRequest: `sarebbe_bello sarebbe_utile manca_la manca_una vorrei_che aggiungete aggiungere
    potreste dovreste sarebbe_meglio sarebbe_comodo sarebbe_perfetta sarebbe_perfetto sarebbe_ottimo
    sarebbe_carino sarebbe_fantastico sarebbe_interessante sarebbe_il_caso sarebbe_opportuno
    sarebbe_gradito manca_il manca_un manca_l'opzione mancano manca_solo mi_piacerebbe vorrei
    vorrei_poter vorremmo potrebbe_essere_migliorat* potrebbero_aggiungere potreste_aggiungere
    potete_aggiungere dovrebbe_esserci dovrebbe_avere dovrebbero_aggiungere dovrebbero aggiungerei
    aggiungete_la aggiunta inserire_la inserite inserire implementare implementate integrare
    opzione_per possibilità_di non_c'è_la_possibilità non_c'è_modo non_c'è_l'opzione nessuna_opzione
    suggerimento suggerimenti suggerisco consiglio_di migliorare migliorate migliorabile
    da_migliorare non_compatibile incompatibile compatibilità non_supporta non_è_supportat*
    non_disponibile rimettete ripristinate peccato_che peccato_non`,
  update: `aggiorna* nuova_versione ultima_versione aggiornato versione_precedente
    vecchia_versione versione_nuova ultimo_aggiornamento nuovo_aggiornamento dopo_l'aggiornamento`,
  notifications: "notific* promemoria avvisi notifiche avviso allarme sveglia",
  support: `assistenza servizio_clienti supporto nessuna_risposta non_rispondono
    assistenza_clienti servizio_assistenza nessuno_risponde non_risponde_nessuno nessun_aiuto
    operatore operatori contattato contattare reclamo sviluppatori call_center`,
  privacy: `privacy dati_personali miei_dati permessi informazioni_personali autorizzazioni
    permesso tracciamento spiano spia posizione localizzazione rubano_dati furto_di_dati
    sicurezza_dei`,
  battery: `batteria surriscalda consuma_batteria consumo_di_batteria consuma_molta scarica_la
    si_surriscalda`,
  payment: `pagament* pagare rimborso* addebit* carta_di_credito paypal pagato bonifico rimborsato
    addebito addebitat* acquisto acquisti comprato fattura soldi conto_corrente prelievo ricarica`,
  content: `contenut* articoli video film canzoni musica livelli episodi notizie ricette serie
    programmi programma personaggi personaggio storia livello missioni missione eventi evento sfide
    esercizi lezioni podcast canali libri catalogo brani playlist`,
  praise: `ottima_app ottima_applicazione bellissim* fantastic* perfett* eccellent*
    la_migliore_app adoro ottimo bella_app complimenti molto_bella molto_buona ottima
    bella_applicazione mi_piace_molto mi_piace_tanto consiglio_a_tutti consigliata consigliatissima
    eccezionale stupenda stupendo top comodissima utilissima favolosa super grande_app`,
};
