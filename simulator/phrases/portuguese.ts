// Invented reviews in Portuguese.
import type { PhraseBook } from "./phrase-book.ts";

export const portuguese: PhraseBook = {
  nicknames: ["cafezinho", "Bia S", "trilheiro", "Duda", "joao.v", "maresia", "Seu Zeca"],
  slots: {
    device: ["tablet", "celular antigo", "celular novo"],
    feature: ["o calendário", "o widget", "a busca", "o modo escuro", "as listas"],
    time: ["uma semana", "três meses", "dois anos", "meio ano"],
    price: ["9,90 por mês", "80 reais por ano", "15 reais"],
  },
  praise: [
    ["Muito bom", "Uso há {time} e funciona perfeitamente. Adoro {feature}."],
    ["Excelente", "Simples, rápido e bonito. Organizo minha semana inteira com ele."],
    ["Até que enfim", "Testei vários outros antes. Esse vale os {price}."],
    ["Ótimo suporte", "Perguntei sobre {feature} e responderam no mesmo dia."],
    ["Leve", "Abre na hora até no meu {device}. O novo visual ficou lindo."],
  ],
  mixed: [
    ["Bom, mas caro", "Gosto muito do aplicativo, mas {price} é caro demais."],
    ["Quase perfeito", "Falta só lembrete por lugar. Coloquem isso e dou cinco estrelas."],
    ["Mais ou menos", "Funciona bem, mas desde a versão {version} gasta muita bateria."],
  ],
  complaints: [
    ["Propaganda demais", "Toda hora aparece anúncio em tela cheia. Não dá para usar."],
    ["Perdi tudo", "A sincronização falhou e sumiram as minhas notas de {time}."],
    ["Lento", "Demora muito para abrir no meu {device}. Antes era rápido."],
    ["Cobrança indevida", "Cancelei o teste e cobraram {price} mesmo assim. Quero reembolso."],
    ["Não avisa", "As notificações chegam horas depois ou nem chegam."],
    ["Atualização ruim", "Por que mudaram tudo de lugar? Não acho mais nada."],
  ],
  outrage: [
    [
      "Fecha sozinho",
      "Depois da versão {version} o aplicativo fecha toda vez que abro. Arrumem isso!",
    ],
    ["Não consigo entrar", "Atualizei para a {version} e não aceita mais a minha senha."],
    ["Inútil", "Tela branca e fecha. Já reinstalei duas vezes e nada."],
  ],
  more: {
    good: ["Recomendo.", "Obrigado aos desenvolvedores!", "Continuem assim.", "Nota dez."],
    bad: ["Muito decepcionado.", "Vou procurar outro.", "Por favor, consertem logo."],
  },
  replies: ["Obrigado pelo aviso. A versão mais recente corrige esse problema."],
};
