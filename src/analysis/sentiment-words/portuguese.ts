// Words of praise and blame in Portuguese reviews: `_` is a blank, `*` an open end.
import type { SentimentWords } from "../sentiment-lexicon.ts";

export const portuguese: SentimentWords = {
  best: `excelente* perfeit* incrível incríveis maravilhos* fantástic* amo amei adoro adorei
    melhor_app o_melhor a_melhor melhores sensacional* espetacular* ótimo ótima ótimos ótimas
    show top impecável*`,
  good: `bom boa bons boas bem bonit* lind* útil* fácil* rápid* gostei gosto legal bacana divertid*
    recomendo funciona_bem funciona_perfeitamente prátic* eficiente* segur* feliz satisfeit*
    interessante* intuitiv* parabéns gostoso super ajuda nada_mal sem_problemas nenhum_problema
    confiável* agradável* completo gratuito massa ótim* excelente_app maravilh* show_de_bola
    recomendo_muito muito_bom muito_boa muito_bem bem_feito prático_e prática fácil_de_usar
    ajuda_muito me_ajuda ajudou gostando lindo linda bonito bonita viciante confiável seguro
    segura eficiente rápido rápida vale_a_pena interessante completa simples intuitivo intuitiva
    melhorou sensacional nota_10 nota_dez obrigado obrigada`,
  mildGood: "obrigad* ok funciona",
  bad: `mal mau ruim ruins lent* chato chata irritante* decepcion* decepção trava travando travado
    travamentos bug bugs bugado bugada erro erros falha falhas problema problemas não_funciona
    não_abre não_carrega não_consigo não_dá não_deixa não_gostei não_presta não_recomendo
    não_serve não_entra não_responde para_de_funcionar parou_de_funcionar fecha_sozinho difícil*
    complicad* caro cara_demais muita_propaganda muitas_propagandas muito_anúncio
    muitos_anúncios impossível desinstal* triste* demora* enganaç* enganosa piorou fraco fraca
    cobraram bloque* perdi decepcionad* lento lenta travou travamento fechando não_atualiza
    nunca_funciona demora demorado irritante infelizmente difícil complicado confuso cara
    muito_caro propaganda_demais anúncios_demais perda_de_tempo sem_resposta ninguém_responde
    bloquearam bloqueou cobrando pior_que sumiu triste raiva falta faltam injusto enganação
    descaso`,
  worst: `péssim* horrível* terrível* pior lixo porcaria merda golpe* ladrões roubo fraude* inútil
    nojento vergonha uma_bosta bosta zero_estrelas desrespeito palhaçada horrível horroros*
    terrível golpe golpistas roubaram ridículo uma_estrela nota_0 nota_zero lamentável odeio
    odiei droga fraude`,
  negators: "não nunca sem nada nenhum nenhuma jamais nem tampouco",
};
