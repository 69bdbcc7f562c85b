// What French reviews call the topics: `_` is a blank, `*` an open end.
import type { TopicWords } from "../topics.ts";

export const french: TopicWords = {
  crash: `plante plantage* crash* se_ferme se_ferme_toute_seule fermeture_intempestive
    ferme_toute_seule`,
  bug: `problème* souci soucis impossible* bloqué* ne_se_connecte* ne_synchronise* synchronise_pas
    se_synchronise_pas synchronise_plus fonctionne_pas marche_pas corriger corrigez instable
    inutilisable déconnect* plus_rien perte perdu bug bugs bugué* bogue* erreur erreurs
    ne_fonctionne_pas ne_fonctionne_plus ne_marche_pas ne_marche_plus fonctionne_plus
    marche_plus dysfonctionnement*`,
  performance: "lent lente lenteur* rame ramer freeze* ralenti* trop_long fluidité figé",
  login: `connexion connecter se_connecter mot_de_passe identifiant* inscription login déconnecté
    s'inscrire`,
  pricing: "prix cher chère trop_cher gratuit gratuite payant payante coûte tarif tarifs",
  subscription: "abonnement* abonner abonné essai_gratuit premium",
  ads: "pub pubs publicité* annonces",
  ui: `interface design ergonomie ergonomique mode_sombre navigation présentation affichage
    bouton boutons`,
  featureRequest: `manque manquent il_serait pourrait_être possibilité_de pouvoir_avoir serait_mieux
    serait_intéressant serait_parfait aimerais_bien pourquoi_pas dommage_de_ne prévoir
    option_pour améliorer à_améliorer serait_bien serait_sympa serait_top serait_cool
    pourriez_vous ajouter rajouter il_manque il_faudrait j'aimerais dommage_qu'il dommage_que
    manque_la manque_une`,
  update: "mise_à_jour mises_à_jour màj maj nouvelle_version dernière_version",
  notifications: "notification* notif notifs rappels alertes",
  support: "service_client sav support assistance aucune_réponse service_après-vente",
  privacy: "vie_privée données_personnelles mes_données espionn* confidentialité autorisations",
  battery: "batterie autonomie",
  payment: "paiement* payer rembours* prélev* carte_bancaire débité paypal",
  content: "contenu* articles vidéos films musique chansons niveaux épisodes actualités recettes",
  praise: `j'adore adore excellent* super_appli super_application génial* parfait*
    meilleure_application très_bonne_application magnifique bravo top`,
};
