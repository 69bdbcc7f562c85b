// Words of praise and blame in Portuguese reviews: `_` is a blank, `*` an open end.
import type { SentimentWords } from "../sentiment-lexicon.ts";

export const portuguese: SentimentWords = {
  best: `excelente* perfeit* incrível incríveis maravilhos* fantástic* amo amei adoro adorei
    melhor_app o_melhor a_melhor melhores sensacional* espetacular* ótimo ótima ótimos ótimas
    show top impecável*`,
  good: `bom boa bons boas bem bonit* lind* útil* fácil* rápid* gostei gosto legal bacana divertid*
    recomendo funciona_bem funciona_perfeitamente prátic* eficiente* segur* feliz satisfeit*
    interessante* intuitiv* parabéns gostoso super ajuda nada_mal sem_problemas
    nenhum_problema confiável* agradável* completo gratuito massa`,
  mildGood: "obrigad* ok funciona",
  bad: `mal mau ruim ruins lent* chato chata irritante* decepcion* decepção trava travando travado
    travamentos bug bugs bugado bugada erro erros falha falhas problema problemas não_funciona
    não_abre não_carrega não_consigo não_dá não_deixa não_gostei não_presta não_recomendo
    não_serve não_entra não_responde para_de_funcionar parou_de_funcionar fecha_sozinho
    difícil* complicad* caro cara_demais muita_propaganda muitas_propagandas muito_anúncio
    muitos_anúncios impossível desinstal* triste* demora* enganaç* enganosa piorou fraco fraca
    cobraram bloque* perdi decepcionad*`,
  worst: `péssim* horrível* terrível* pior lixo porcaria merda golpe* ladrões roubo fraude* inútil
    nojento vergonha uma_bosta bosta zero_estrelas desrespeito palhaçada`,
  negators: "não nunca sem nada nenhum nenhuma jamais nem tampouco",
};
