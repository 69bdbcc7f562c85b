// Invented reviews in French.
import type { PhraseBook } from "./phrase-book.ts";

export const french: PhraseBook = {
  nicknames: ["petit_nuage", "Lucie R", "marcheur38", "Théo", "la.lune", "Gaspard", "citronvert"],
  slots: {
    device: ["téléphone de travail", "vieux téléphone", "nouveau téléphone"],
    feature: ["le calendrier", "le widget", "la recherche", "le mode sombre", "l'export"],
    time: ["une semaine", "trois mois", "deux ans", "six mois"],
    price: ["2,99 par mois", "40 euros par an", "5 euros"],
  },
  praise: [
    [
      "Très bonne appli",
      "Je l'utilise depuis {time} et tout fonctionne à merveille, surtout {feature}.",
    ],
    ["Parfaite", "Simple, rapide et agréable. Je ne peux plus m'en passer."],
    ["Enfin", "J'en ai essayé beaucoup d'autres avant. Celle-ci vaut bien {price}."],
    ["Bonne assistance", "J'ai posé une question sur {feature}, réponse aimable le jour même."],
    ["Fluide", "Elle s'ouvre tout de suite et le nouveau design est superbe."],
  ],
  mixed: [
    ["Bien mais cher", "J'aime beaucoup {feature}, mais {price} c'est trop pour une simple liste."],
    [
      "Presque parfaite",
      "Belle application. Ajoutez des rappels par lieu et je mets cinq étoiles.",
    ],
    ["Mitigé", "Ça marche, mais la batterie se vide très vite depuis la version {version}."],
  ],
  complaints: [
    ["Trop de publicité", "Une publicité en plein écran à chaque ouverture. Insupportable."],
    ["Notes perdues", "La synchronisation a effacé tout ce que j'avais écrit depuis {time}."],
    ["Lente", "Dix secondes pour démarrer sur mon {device}. Avant, c'était rapide."],
    ["Arnaque", "J'ai annulé l'essai et on m'a quand même prélevé {price}. Remboursez-moi."],
    ["Pas de rappels", "Les notifications arrivent des heures en retard ou pas du tout."],
    ["Mise à jour ratée", "Pourquoi avoir tout déplacé ? On ne trouve plus rien."],
  ],
  outrage: [
    [
      "Plante au démarrage",
      "Depuis la {version}, l'application plante à chaque ouverture. Corrigez ça !",
    ],
    [
      "Connexion impossible",
      "Après la mise à jour {version}, mon mot de passe n'est plus accepté.",
    ],
    ["Inutilisable", "Écran blanc puis elle se ferme. Réinstallée deux fois, rien ne change."],
  ],
  more: {
    good: [
      "Je recommande.",
      "Merci aux développeurs !",
      "Continuez comme ça.",
      "Toute la famille l'utilise.",
    ],
    bad: ["Très déçue.", "Je cherche autre chose.", "Merci de corriger rapidement."],
  },
  replies: ["Merci pour votre message. La dernière version corrige ce problème."],
};
