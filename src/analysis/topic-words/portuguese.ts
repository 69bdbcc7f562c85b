// What Portuguese reviews call the topics: `_` is a blank, `*` an open end.
import type { TopicWords } from "../topics.ts";

export const portuguese: TopicWords = {
  crash: `fecha_sozinho fecha_sozinha fechando_sozinho fechando_do_nada fecha_do_nada crash*
    para_de_funcionar fica_fechando fecha_toda_hora fecha_sozinho_toda trava_e_fecha
    fica_fechando_sozinho fechando_sozinha fechando fecha_o_tempo_todo fecha_quando fecha_logo
    crashando crasha cai_toda_hora fica_caindo não_abre_mais nao_abre não_quer_abrir
    não_está_abrindo não_tá_abrindo não_inicia sai_sozinho sai_do_app desliga_sozinho
    encerra_sozinho parou_de_abrir congela*`,
  bug: `problema problemas não_abre não_consigo não_carrega erro erros bug bugs bugado bugada
    falha falhas não_funciona parou_de_funcionar nao_funciona não_funcionam não_funcionou
    não_tá_funcionando não_está_funcionando não_esta_funcionando parou_de_carregar nao_consigo
    não_consegui não_consegue não_dá não_da_pra não_dá_pra não_deixa não_permite não_posso não_pode
    não_aparece não_aparecem não_mostra não_atualiza não_conecta não_sincroniza não_salva não_envia
    não_recebe não_recebo não_reconhece não_chega não_chegou não_responde não_toca não_baixa
    não_instala não_entra não_vai não_roda não_aceita não_carregam nao_carrega não_sai_do impossível
    deu_erro dá_erro da_erro erro_de aparece_erro mensagem_de_erro errado errada incorreto incorreta
    sumiu sumiram desapareceu perdi_tudo perdi_meu perdeu apagou apagaram travou tela_preta
    tela_branca sem_som instável instabilidade fora_do_ar em_manutenção manutenção bugando bugou
    bugs_e inutilizável defeito defeitos arrumem arrumar consertem consertar corrijam corrigir
    resolvam resolver_isso fica_carregando carregando_infinito só_carrega não_para_de desinstalei
    reinstalei desconecta caindo_a duplicad*`,
  performance: `lento lenta lentidão trava travando travado travamento* demora_muito não_carrega lerdo lerda
    muito_lento trava_muito trava_demais travou_tudo demora demorado demora_para demora_pra lag
    lagado lagando pesado ocupa_muito memória espaço_no carregamento lentidao`,
  login: `login entrar_na_conta fazer_login senha cadastro código_de_verificação minha_conta logar
    entrar_no_app não_consigo_entrar nao_consigo_entrar logar_na fazer_o_login minha_senha senhas
    cadastrar cadastrar-se cadastro_não código_não código_sms sms verificação verificar
    conta_bloqueada conta_suspensa bloquearam_minha hackearam recuperar_minha_conta recuperar_conta
    banido banida desconectado reconhecimento_facial biometria criar_conta`,
  pricing: `preço preços caro cara barato grátis gratuito custa preço_alto muito_caro carissim*
    de_graça pago pagar_para taxa taxas roubo desconto* promoç* cupom gratuita gratuitos`,
  subscription: `assinatura* assinar assinante* teste_grátis premium mensalidade assino assinei
    cancelar_assinatura plano_premium mensal anual teste_gratuito renovação`,
  ads: `anúncio anúncios propaganda propagandas publicidade anuncio anuncios comercial comerciais
    muita_propaganda muito_anúncio spam`,
  ui: `interface design layout visual navegação modo_escuro intuitiv* botão botões interface_ruim
    visualmente gráficos gráfico fácil_de_usar facil_de_usar difícil_de_usar confuso confusa
    complicado complicada prático aparência tema_escuro menu menus letras cores ícone ícones
    tela_inicial widget usabilidade tela_cheia`,
  featureRequest: `poderia_ter poderiam_colocar poderia_colocar deveria_ter deveriam_colocar
    adicionem adicionar coloquem gostaria_que seria_bom seria_legal falta_a_opção poderiam podiam
    deveriam deviam poderia_ser podiam_colocar podiam_adicionar precisa_melhorar precisam_melhorar
    precisava falta_uma falta_um falta_opção faltam faltou faltando só_falta adiciona adicione
    adicionassem adicionar_a acrescentar acrescentem incluir incluam coloca_a coloquem_a
    colocar_a_opção opção_de opção_para não_tem_opção não_tem_como não_tem_a_opção não_há_opção
    não_existe_opção gostaria gostaria_de queria_que queria_poder quero_que seria_ótimo
    seria_interessante seria_melhor seria_perfeito seria_incrível seria_ideal seria_útil seria_mais
    ficaria_melhor ficaria_perfeito espero_que_melhorem espero_que_coloquem sugestão sugestões
    sugiro melhorem melhorias tomara_que voltem tragam_de_volta implementar implementem
    disponibilizem não_é_compatível incompatível compatível não_suporta disponível_para
    não_disponível indisponível_no podem_colocar por_que_não_tem porque_não_tem`,
  update: `atualiza* nova_versão última_versão atualizei atualizado versão_anterior versão_nova
    versão_antiga nova_atualização última_atualização depois_da_atualização`,
  notifications: "notifica* lembrete* notificação notificações avisos alarme alerta alertas",
  support: `suporte atendimento sac não_respondem ninguém_responde atendente atendentes
    ninguém_atende não_atendem péssimo_atendimento sem_resposta não_resolve não_resolvem não_ajudam
    reclamação reclamações reclame_aqui chat_de_suporte central_de ajuda_do contato_com ouvidoria`,
  privacy: `privacidade dados_pessoais meus_dados espion* permissões meus_dados_pessoais
    informações_pessoais vazamento vazou localização rastre* segurança_dos roubo_de_dados invadid*
    acesso_aos`,
  battery: `bateria esquenta* consome_bateria gasta_bateria consome_muita superaquec*
    bateria_acaba`,
  payment: `pagamento* pagar paguei cobrança* cobraram reembolso cartão_de_crédito pix estorno
    meu_dinheiro pagou pago_e boleto cobrado cobrança_indevida cartão cartões debitado débito
    crédito_no dinheiro saldo transferência* transferir depósito sacar saque compras comprei recarga
    ressarcimento reembolsar estornar conta_bancária`,
  content: `conteúdo* filmes séries músicas vídeos fases episódios notícias receitas conteúdos
    filme série musica música video vídeo personagem personagens história historia níveis nível
    missões missão eventos evento capítulos canal canais programação podcasts livros aulas
    exercícios reels publicações algoritmo catálogo playlist`,
  praise: `excelente amei adorei perfeito maravilhos* melhor_app melhor_aplicativo muito_bom
    ótimo_app ótimo_aplicativo incrível amo_esse parabéns ótimo otimo ótima otima excelentes
    muito_boa muito_bom_mesmo gostei gosto_muito amo adoro recomendo top show perfeita fantástico
    sensacional nota_10 nota_dez maravilhosa muito_útil`,
};
