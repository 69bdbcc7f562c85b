// Words of praise and blame in French reviews: `_` is a blank, `*` an open end.
import type { SentimentWords } from "../sentiment-lexicon.ts";

export const french: SentimentWords = {
  best: `excellent* parfait* parfaitement génial* adore j'adore fantastique* incroyable*
    magnifique* formidable* extraordinaire* meilleure_appli meilleure_application meilleur_jeu
    le_meilleur la_meilleure exceptionnel* merveilleu* impeccable* au_top top`,
  good: `bon bonne bons bonnes bien super cool sympa* pratique* utile* facile* rapide* efficace*
    agréable* aime j'aime content* satisfait* recommande* conseille beau belle jolie joli
    simple* intuiti* fiable* complet* complète ludique* fonctionne_bien fonctionne_très_bien
    marche_bien marche_très_bien fonctionne_parfaitement pas_mal pas_mauvais aucun_problème
    sans_problème aucun_souci rien_à_dire rien_à_redire bravo ravi* motivant* précis* fluide*
    amusant* intéressant* mieux nickel bonheur`,
  mildGood: "merci ok correct fonctionne marche",
  bad: `mauvais* lent lente lenteur nul nuls ennuyeu* déçu* décevant* déception plante* plantage*
    bug bugs bugué* bogue* erreur* problème* souci soucis ne_fonctionne_pas ne_fonctionne_plus
    ne_marche_pas ne_marche_plus fonctionne_pas fonctionne_plus marche_pas marche_plus
    fonctionne_mal ne_s'ouvre_pas ne_synchronise_plus ne_se_synchronise_plus
    ne_se_connecte_pas ne_se_connecte_plus impossible* compliqué* difficile* cher chère
    trop_de_pub trop_de_pubs dommage inutilisable* inutile* énerv* agaçant* pénible* triste*
    désinstall* arnaqué* médiocre* pas_terrible pas_top pas_bien pas_bon ne_recommande_pas
    je_déconseille déconseill* à_éviter se_ferme_tout_seul rame ramer perdu* bloqué* payant
    insupportable* ralenti* régression pire instable* déconnect* limité* manque* obsolète*
    abandonné* ne_permet_plus aucune_réponse plus_rien`,
  worst: `nulle horrible* catastroph* merde merdique arnaque* voleurs vol honteu* honte scandal*
    poubelle pourri* lamentable* zéro_étoile pire_application la_pire le_pire n'importe_quoi
    daube fuyez abus* à_fuir`,
  negators: "pas ne n'est jamais sans aucun aucune rien plus_de plus_aucun ni n'ai guère",
};
