// Words of praise and blame in Spanish reviews: `_` is a blank, `*` an open end.
import type { SentimentWords } from "../sentiment-lexicon.ts";

export const spanish: SentimentWords = {
  best: `excelente* perfect* increíble* fantástic* maravillos* genial* encanta encantó me_encanta
    mejor_app la_mejor el_mejor lo_mejor las_mejores los_mejores espectacular* magnífic*
    fabulos* excelentísim* buenísim* amo_esta impecable*`,
  good: `bueno buena buenos buenas buen bien bonit* hermos* lind* útil* fácil fáciles fácilmente
    rápid* gusta gustó divertid* recomiend* recomendad* recomendable* funciona_bien
    funciona_perfecto funciona_muy_bien sencill* práctic* cómod* eficiente* eficaz segur* feliz
    content* satisfech* interesante* entretenid* amigable* intuitiv* chévere padre padrísimo
    súper super cool ayuda ayudan confiable* amable* agradable* no_está_mal nada_mal
    sin_problemas sin_problema ningún_problema buena_atención mejoró gratis genialidad
    satisfactori* útiles fantástico complet* precis* ágil* accesible* óptim* vale_la_pena
    gran_app gran_aplicación buen_servicio muy_bien todo_bien felicidades felicitaciones
    me_sirve facilita inmejorable* sorprendente* de_lo_mejor contento agradecid* innovador*
    bueníssim* sencilla claro clara cumple ahorra_tiempo sin_complicaciones atent* eficiencia
    rapidez facilidad comodidad confianza tranquilidad satisfacción diversión encantador*
    estupend* ayud* me_ayuda hermosa rico logré excelentes`,
  mildGood: "gracias ok funciona mejorado",
  bad: `mal mala malo malas malos lent* lento aburrid* molest* decepcion* falla fallas fallan fallo
    fallos error errores problema problemas no_funciona no_sirve no_me_sirve no_abre no_carga
    no_deja no_me_deja no_puedo no_se_puede no_permite no_me_permite no_responden no_me_gusta
    no_me_gustó no_lo_recomiendo no_la_recomiendo no_recomiendo no_recomendable se_cierra
    se_traba se_congela se_cuelga complicad* difícil caro cara caros demasiada_publicidad
    mucha_publicidad muchos_anuncios demasiados_anuncios imposible* desinstal* rechaz* bloque*
    cobran cobraron no_contestan nunca_contestan tarda tardan tardad* pésimo_servicio triste
    lástima engañ* engañosa mentira mentiros* deficiente* incompetent* ridícul* quejas queja
    espera_eterna dejó_de_funcionar perdí molestia fraudulenta no_llega no_llegó nunca_llegó
    no_entra mal_servicio negaron niegan sin_motivo sin_razón peor_servicio desconfianza
    inconformidad malísim* fatal inservible* no_vale no_pude no_he_podido no_sirven no_entiendo
    no_reconoce no_acepta no_resuelven no_hay_forma no_ayudan abus* harto harta odio lamentable*
    penos* sin_respuesta sin_solución nadie_responde pérdida_de_tiempo perder_el_tiempo bug bugs
    lag se_queda se_sale se_apaga crashea cancelé cancelar problemátic* insegur* injust*
    fastidi* enoj* frustrante* frustrad* inaceptable* cobro cobros cargos intereses_altos
    eliminé borré desactualizad* atrapad* confus* dañ* imposibl* incorrect* inestable*
    no_actualiza no_aparece no_inicia no_instala no_me_llega`,
  worst: `pésim* horrible* terrible* peor basura porquería asco asqueros* estafa* robo roban robaron
    ladrones rateros fraude* inútil* mierda nefast* espantos* cero_estrellas una_estrella
    vergüenza desastre chafa no_lo_descarguen no_la_descarguen no_descarguen patétic* tramposos
    tramposa mentirosos rata ratas timo timadores desastros* vergonzos* cero malísimo ladrón
    odio_esta`,
  negators: "no nunca sin nada ningún ninguna ninguno jamás tampoco ya_no ni",
};
