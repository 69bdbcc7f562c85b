// What Portuguese reviews call the topics: `_` is a blank, `*` an open end.
import type { TopicWords } from "../topics.ts";

export const portuguese: TopicWords = {
  crash: `fecha_sozinho fecha_sozinha fechando_sozinho fechando_do_nada fecha_do_nada crash*
    para_de_funcionar fica_fechando`,
  bug: `problema problemas não_abre não_consigo não_carrega erro erros bug bugs bugado bugada
    falha falhas não_funciona parou_de_funcionar`,
  performance: `lento lenta lentidão trava travando travado travamento* demora_muito não_carrega congela*`,
  login: `login entrar_na_conta fazer_login senha cadastro código_de_verificação minha_conta logar`,
  pricing: "preço preços caro cara barato grátis gratuito custa",
  subscription: "assinatura* assinar assinante* teste_grátis premium mensalidade",
  ads: "anúncio anúncios propaganda propagandas publicidade",
  ui: "interface design layout visual navegação modo_escuro intuitiv* botão botões",
  featureRequest: `poderia_ter poderiam_colocar poderia_colocar deveria_ter deveriam_colocar adicionem
    adicionar coloquem gostaria_que seria_bom seria_legal falta_a_opção`,
  update: "atualiza* nova_versão última_versão",
  notifications: "notifica* lembrete*",
  support: "suporte atendimento sac não_respondem ninguém_responde",
  privacy: "privacidade dados_pessoais meus_dados espion* permissões",
  battery: "bateria esquenta*",
  payment: `pagamento* pagar paguei cobrança* cobraram reembolso cartão_de_crédito pix estorno
    meu_dinheiro`,
  content: "conteúdo* filmes séries músicas vídeos fases episódios notícias receitas",
  praise: `excelente amei adorei perfeito maravilhos* melhor_app melhor_aplicativo muito_bom
    ótimo_app ótimo_aplicativo incrível amo_esse parabéns`,
};
