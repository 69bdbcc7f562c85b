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
    amusant* intéressant* mieux nickel bonheur fluide efficacité ravie géniale top_app très_bien
    très_bon très_utile bien_fait bien_faite bien_conçu* bien_pensé* clair claire ergonomique*
    confortable* plaisir plaisant* adorable* mignon* drôle fun satisfaite satisfaits
    satisfaction contente excellent_service réactif réactive améliore amélioré gain_de_temps
    indispensable* superbe* magique ludique amour félicitations chouette* vaut_le_coup`,
  mildGood: "merci ok correct fonctionne marche",
  bad: `mauvais* lent lente lenteur nul nuls ennuyeu* déçu* décevant* déception plante* plantage*
    bug bugs bugué* bogue* erreur* problème* souci soucis ne_fonctionne_pas ne_fonctionne_plus
    ne_marche_pas ne_marche_plus fonctionne_pas fonctionne_plus marche_pas marche_plus
    fonctionne_mal ne_s'ouvre_pas ne_synchronise_plus ne_se_synchronise_plus ne_se_connecte_pas
    ne_se_connecte_plus impossible* compliqué* difficile* cher chère trop_de_pub trop_de_pubs
    dommage inutilisable* inutile* énerv* agaçant* pénible* triste* désinstall* arnaqué*
    médiocre* pas_terrible pas_top pas_bien pas_bon ne_recommande_pas je_déconseille déconseill*
    à_éviter se_ferme_tout_seul rame ramer perdu* bloqué* payant insupportable* ralenti*
    régression pire instable* déconnect* limité* manque* obsolète* abandonné* ne_permet_plus
    aucune_réponse plus_rien lenteurs bugge buguée bugger crash crashe crashs freeze figé fige
    gel déconnecte ne_charge ne_s'affiche ne_s'ouvre ne_s'installe ne_marche n'arrive_pas
    n'arrive_plus je_n'arrive ne_peux_pas ne_peux_plus ne_peut_pas peux_plus pas_possible
    pas_pratique pas_intuitif manque_de trop_cher trop_lent trop_long pubs_intempestives
    intempestif* publicités envahiss* chiant* gâch* désagréable* frustrant* frustré*
    incompréhensible* confus* inadmissible* inacceptable* perte_de_temps désactiv* supprim*
    échec échoue refuse mensong* trompeur* dégrad* insuffisant* fausse faux incomplet*
    incapable*`,
  worst: `nulle horrible* catastroph* merde merdique arnaque* voleurs vol honteu* honte scandal*
    poubelle pourri* lamentable* zéro_étoile pire_application la_pire le_pire n'importe_quoi
    daube fuyez abus* à_fuir pourrie pourri voleur nullissime exécrable* détestable* ignoble*
    pathétique* minable* ridicule* déteste escroc* escroquerie zéro`,
  negators: "pas ne n'est jamais sans aucun aucune rien plus_de plus_aucun ni n'ai guère",
};
