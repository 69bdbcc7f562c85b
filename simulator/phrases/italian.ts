// Invented reviews in Italian.
import type { PhraseBook } from "./phrase-book.ts";

export const italian: PhraseBook = {
  nicknames: ["passo_lento", "Giulia F", "bicirossa", "Nino", "luna.piena", "Elia", "carta"],
  slots: {
    device: ["tablet", "vecchio telefono", "telefono nuovo"],
    feature: ["il calendario", "il widget", "la ricerca", "il tema scuro", "l'esportazione"],
    time: ["una settimana", "tre mesi", "due anni", "sei mesi"],
    price: ["2,99 al mese", "40 euro l'anno", "5 euro"],
  },
  praise: [
    ["Ottima app", "La uso da {time} e funziona benissimo. Mi piace molto {feature}."],
    ["Perfetta", "Semplice, veloce e curata. Ci organizzo tutta la settimana."],
    ["Finalmente", "Ne ho provate tante prima di questa. Vale tutti i {price}."],
    ["Assistenza gentile", "Ho scritto agli sviluppatori e mi hanno risposto in giornata."],
    ["Scorrevole", "Si apre subito anche sul mio {device}. Bella la nuova grafica."],
  ],
  mixed: [
    ["Bella ma cara", "Mi piace {feature}, però {price} è troppo per una lista di cose da fare."],
    ["Quasi perfetta", "Manca solo il promemoria in base al luogo, poi metto cinque stelle."],
    ["Così così", "Funziona, ma dalla versione {version} la batteria dura la metà."],
  ],
  complaints: [
    ["Troppa pubblicità", "Ogni volta che tocco qualcosa parte una pubblicità a tutto schermo."],
    ["Note sparite", "La sincronizzazione ha cancellato quello che avevo scritto in {time}."],
    ["Lenta", "Ci mette un'eternità ad aprirsi sul mio {device}. Prima era veloce."],
    [
      "Addebito scorretto",
      "Ho disdetto la prova e mi hanno addebitato {price}. Voglio il rimborso.",
    ],
    ["Non avvisa", "Le notifiche arrivano con ore di ritardo o non arrivano affatto."],
    ["Aggiornamento pessimo", "Perché avete spostato tutto? Non trovo più niente."],
  ],
  outrage: [
    ["Si blocca", "Dalla {version} si chiude da sola a ogni avvio. Sistematela!"],
    ["Non riesco ad accedere", "Dopo l'aggiornamento {version} non accetta più la mia password."],
    ["Inutilizzabile", "Schermo bianco e poi si chiude. Reinstallata due volte, niente."],
  ],
  more: {
    good: ["Consigliata.", "Grazie agli sviluppatori!", "Continuate così.", "Davvero comoda."],
    bad: ["Molto delusa.", "Ne cerco un'altra.", "Correggete in fretta, per favore."],
  },
  replies: ["Grazie della segnalazione. L'ultima versione risolve il problema."],
};
