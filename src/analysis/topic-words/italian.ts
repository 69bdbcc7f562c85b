// What Italian reviews call the topics: `_` is a blank, `*` an open end.
import type { TopicWords } from "../topics.ts";

export const italian: TopicWords = {
  crash: `crash* si_chiude si_chiude_da_sola si_chiude_da_solo chiusura_improvvisa arresto_anomalo`,
  bug: `problema problemi non_si_apre non_riesco bug errore errori non_funziona non_va
    smesso_di_funzionare malfunzionament*`,
  performance: "lenta lento lentissim* si_blocca bloccata non_carica rallent* lag",
  login: "accesso accedere login password registrazione registrarsi credenziali loggare",
  pricing: "prezzo prezzi cara caro costos* costa gratis gratuita gratuito a_pagamento",
  subscription: "abbonament* abbonar* prova_gratuita premium",
  ads: "pubblicità annunci pubblicitari* spot",
  ui: "interfaccia grafica design navigazione modalità_scura intuitiv* layout",
  featureRequest: `sarebbe_bello sarebbe_utile manca_la manca_una vorrei_che aggiungete aggiungere potreste
    dovreste`,
  update: "aggiorna* nuova_versione ultima_versione",
  notifications: "notific* promemoria avvisi",
  support: "assistenza servizio_clienti supporto nessuna_risposta non_rispondono",
  privacy: "privacy dati_personali miei_dati permessi",
  battery: "batteria surriscalda",
  payment: "pagament* pagare rimborso* addebit* carta_di_credito paypal",
  content: "contenut* articoli video film canzoni musica livelli episodi notizie ricette",
  praise: `ottima_app ottima_applicazione bellissim* fantastic* perfett* eccellent* la_migliore_app
    adoro ottimo bella_app complimenti`,
};
