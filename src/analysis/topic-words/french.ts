// What French reviews call the topics: `_` is a blank, `*` an open end.
import type { TopicWords } from "../topics.ts";

export const french: TopicWords = {
  crash: `plante plantage* crash* se_ferme se_ferme_toute_seule fermeture_intempestive
    ferme_toute_seule plantage plantages planté plantent plantait n'arrête_pas_de_planter crashe
    bug_et_se_ferme se_ferme_sans se_ferme_tout se_ferme_dès se_ferme_automatiquement se_coupe
    s'arrête_toute_seule s'arrête_brutalement s'est_arrêté s'arrête s'éteint quitte_toute_seule
    fermeture_de_l'application ne_s'ouvre_plus ne_s'ouvre_pas ne_démarre_plus ne_démarre_pas
    s'ouvre_plus s'ouvre_pas ne_se_lance_pas ne_se_lance_plus se_lance_plus impossible_d'ouvrir
    impossible_de_l'ouvrir impossible_d'ouvrir_l'application freeze* figé se_fige fige figée`,
  bug: `problème* souci soucis impossible* bloqué* ne_se_connecte* ne_synchronise* synchronise_pas
    se_synchronise_pas synchronise_plus fonctionne_pas marche_pas corriger corrigez instable
    inutilisable déconnect* plus_rien perte perdu bug bugs bugué* bogue* erreur erreurs
    ne_fonctionne_pas ne_fonctionne_plus ne_marche_pas ne_marche_plus fonctionne_plus marche_plus
    dysfonctionnement* synchronise_jamais fonctionne_jamais fonctionnent_pas fonctionnent_plus
    fonctionnent_jamais marche_jamais marchent_pas marchent_plus marchent_jamais charge_pas
    charge_plus charge_jamais ouvre_pas ouvre_plus ouvre_jamais s'ouvre_pas s'ouvre_plus
    s'ouvre_jamais affiche_pas affiche_plus affiche_jamais s'affiche_pas s'affiche_plus
    s'affiche_jamais connecte_pas connecte_plus connecte_jamais démarre_pas démarre_plus
    démarre_jamais trouve_pas trouve_plus trouve_jamais enregistre_pas enregistre_plus
    enregistre_jamais reçois_pas reçois_plus reçois_jamais reçoit_pas reçoit_plus reçoit_jamais
    détecte_pas détecte_plus détecte_jamais reconnait_pas reconnait_plus reconnait_jamais
    reconnaît_pas reconnaît_plus reconnaît_jamais répond_pas répond_plus répond_jamais lance_pas
    lance_plus lance_jamais envoie_pas envoie_plus envoie_jamais peux_pas_ouvrir_pas
    peux_pas_ouvrir_plus peux_pas_ouvrir_jamais arrive_pas arrive_plus arrive_jamais actualise_pas
    actualise_plus actualise_jamais bouge_pas bouge_plus bouge_jamais compte_pas compte_plus
    compte_jamais tient_pas tient_plus tient_jamais réagit_pas réagit_plus réagit_jamais
    n'arrive_pas n'arrive_plus n'arrive_pas_à j'arrive_pas j'arrive_plus ne_peux_pas ne_peux_plus
    peux_plus peux_pas ne_peut_pas ne_peut_plus on_ne_peut peut_plus pas_moyen_de aucun_moyen
    ne_veut_pas ne_veut_plus veut_pas veut_plus ne_permet_pas ne_permet_plus ne_fait_rien
    ne_sert_à_rien faux fausse fausses erroné* incorrect* inexact* imprécis* pas_fiable peu_fiable
    n'est_pas_fiable aléatoire* déconnexion* se_déconnecte* perte_de perd_la pertes disparu*
    disparait disparaît disparaissent effacé* supprimé* plus_accès ne_répond_pas ne_répond_plus
    bugs_à beugue* beug beugs buggé buggée boguée buguée bugg* buggue* buguent déconne
    plante_souvent écran_noir écran_blanc page_blanche hors_service en_panne panne pannes défaillan*
    défectueu* dysfonctionne* mal_conçu réparer réparez résoudre régler_le régler_ce réglez
    à_corriger corrigé correction corrections bloque bloquée bloqués se_bloque coincé ça_ne_marche
    ça_marche_pas rien_ne_marche rien_ne_fonctionne fonctionne_mal fonctionne_très_mal marche_mal
    mal_fonctionn* pas_de_synchro synchro* synchronisation_impossible échec échoue réinstaller
    réinstallé désinstaller_et anomalie* erreur_de serveur_indisponible indisponible maintenance
    décalage ne_prend_pas ne_prend_plus ne_tient_pas ne_garde_pas ne_détecte n'enregistre n'affiche
    ne_reconnait ne_trouve_pas ne_s'affiche introuvable plus_possible_de plus_de_notif n'est_plus
    incompatible pas_compatible non_compatible n'est_pas_compatible`,
  performance: `lent lente lenteur* rame ramer ralenti* trop_long fluidité lente_et très_lent très_lente
    trop_lent trop_lente super_lent lenteurs rames ramait saccade* saccad* latence lag lags
    laggue met_du_temps met_trop_de_temps prend_du_temps prend_trop_de_temps long_à_charger
    temps_de_chargement chargement charge_à_l'infini interminable* lourde lourdeur
    ralentissement* espace_de_stockage fluide`,
  login: `connexion connecter se_connecter mot_de_passe identifiant* inscription login déconnecté
    s'inscrire me_connecter connecté reconnecter se_reconnecter identifier m'identifier m'inscrire
    créer_un_compte création_de_compte mon_compte_a compte_bloqué compte_suspendu
    code_de_vérification code_sms authentification authentifi* empreinte face_id mots_de_passe
    mot_passe connexion_impossible login_impossible code_reçu réinitialis*`,
  pricing: `prix cher chère trop_cher gratuit gratuite payant payante coûte tarif tarifs arnaque
    arnaques hors_de_prix coûteux onéreux chers chères gratuitement gratuits gratuites payants
    payantes coûte_cher prix_excessif frais cout coût euros pompe_à_fric réduction promo promos
    faire_payer`,
  subscription: `abonnement* abonner abonné essai_gratuit premium désabonner désabonnement
    résilier résiliation renouvellement période_d'essai mensuel mensualité adhésion`,
  ads: "pub pubs publicité* annonces annonce publicitaire* spam spams trop_de_pub",
  ui: `interface design ergonomie ergonomique mode_sombre navigation présentation affichage bouton
    boutons ergonomiques lisible illisible lisibilité visuel visuellement esthétique graphisme
    graphismes graphique graphiques menu menus écran_d'accueil thème sombre widget widgets police
    couleur couleurs icône icônes intuitif intuitive intuitives simple_d'utilisation
    facile_d'utilisation facile_à_utiliser simple_à_utiliser utilisation_facile prise_en_main
    compliqué compliquée complexe pas_pratique peu_pratique clarté look nouvelle_interface
    mise_en_page mode_nuit plein_écran`,
  featureRequest: `il_serait pourrait_être possibilité_de pouvoir_avoir serait_mieux
    serait_intéressant serait_parfait aimerais_bien pourquoi_pas dommage_de_ne option_pour
    à_améliorer serait_bien serait_sympa serait_top serait_cool pourriez_vous ajouter rajouter
    il_manque il_faudrait j'aimerais dommage_qu'il manque_la manque_une il_serait_bien
    il_serait_intéressant il_serait_utile ce_serait cela_serait ça_serait serait_appréciable
    serait_appréciée serait_utile serait_pratique serait_apprécié serait_parfaite serait_idéal
    serait_pas_mal serait_un_plus serait_souhaitable serait_génial serait_judicieux
    serait_plus_pratique serait_bienvenu* pourrait_être_bien pourrait_être_amélior* on_pourrait
    pourrait_ajouter pourrait_proposer pourrait_avoir pourriez_vous_ajouter pouvez_vous pouvez-vous
    pourrais_tu pourrait_on devrait_être devrait_y_avoir devrait_pouvoir devrait_proposer
    devraient_ajouter vous_devriez devriez faudrait faudrait_pouvoir faudrait_ajouter
    il_faut_ajouter souhaiterais souhaiterait souhaite_pouvoir souhaitable aimerais aimerait aimerai
    j'aurais_aimé j'aurais_préféré aurait_été_bien aurait_aimé on_aimerait aurais_voulu voudrais
    je_voudrais j'attends j'espère espérons espère_que en_espérant possibilité_d'
    possibilité_de_choisir pas_la_possibilité pas_de_possibilité aucune_possibilité manque_de
    manque_un manque_le manque_les manque_plus_que manque_quelques manque_juste manque_cependant
    manque_toutefois manque_encore manquant manquante manquantes ajoutez ajoutez_la ajout
    ajouter_une ajouter_un ajouter_la ajouter_des rajoutez rajouter_une remettre remettez rajout
    intégrer intégration améliorations amélioration améliorez améliorer_l' peut_mieux_faire
    mériterait mériterait_d' dommage_qu' dommage_qu'on dommage_qu'il_n'y dommage_de_ne_pas
    dommage_de_devoir dommage_que_l'application dommage_pas_de pas_possible_de_modifier pas_d'option
    aucune_option une_option l'option_pour option_permettant une_fonction une_fonctionnalité
    fonctionnalité_de fonctionnalités_manquantes fonctionnalités_supplémentaires plus_de_choix
    plus_d'options plus_de_fonctionnalités suggestion suggestions suggère suggérer proposition
    un_plus_serait seul_regret regrette regrettable seul_point_négatif prochaine_mise_à_jour
    prochaines_mises à_quand quand_est_ce permettre_de permettrait serait_bien_de`,
  update: `mise_à_jour mises_à_jour màj maj nouvelle_version dernière_version mettre_à_jour
    mis_à_jour mise_a_jour mises_a_jour misent_à_jour ancienne_version version_précédente update
    nouvelle_mise nouvelles_versions dernière_mise version_android`,
  notifications: `notification* notif notifs rappels alertes alarme rappel notifié prévenu
    prévient alerte`,
  support: `service_client sav support assistance aucune_réponse service_après-vente
    service_clients service_après_vente pas_de_réponse sans_réponse aucune_aide ne_répondent
    aucun_support contacté hotline assistance_technique réponse_du support_technique aucun_retour
    réclamation développeurs`,
  privacy: `vie_privée données_personnelles mes_données espionn* confidentialité autorisations
    vie_privee rgpd données_privées données_de_santé localisation géolocalisation position_gps
    permission permissions accès_à_mes autorisation autoriser piratage piraté piratée vol_de_données
    sécurité_des_données anonym* espion intrusif intrusive revend*`,
  battery: `batterie autonomie consomme_beaucoup vide_la consommation_de énergivore chauffe
    décharge autonomie_de`,
  payment: `paiement* payer rembours* prélev* carte_bancaire débité paypal payé payée achat achats
    acheter acheté facture facturé prélevé remboursé débit transaction* virement* carte_bleue cb
    mon_argent portefeuille moyen_de_paiement`,
  content: `contenu* articles vidéos films musique chansons niveaux épisodes actualités recettes
    programmes séries série jeux niveau histoire personnages personnage quêtes missions énigmes
    recette exercices podcasts chaînes infos catalogue émissions livres événements défis
    entraînement*`,
  praise: `j'adore adore excellent* super_appli super_application génial* parfait*
    meilleure_application très_bonne_application magnifique bravo top super géniale bien_faite
    très_bien très_pratique très_utile je_recommande au_top rien_à_dire impeccable nickel
    fantastique merveilleu* top_app bonne_application bonne_appli très_satisfait satisfaite
    satisfait j'aime_beaucoup extra`,
};
