// Words of praise and blame in Korean reviews: `_` is a blank, `*` an open end.
import type { SentimentWords } from "../sentiment-lexicon.ts";

export const korean: SentimentWords = {
  best: "최고 완벽 사랑해 강추 대박 너무_좋 너무좋 훌륭 짱 정말_좋 아주_좋",
  good: `좋아 좋은 좋네 좋습 좋고 좋다 좋았 조아요 편리 편해 편하 유용 재밌 재미있 쉽고 빠르 빨라 추천 만족 감동 예쁘 이쁘 도움 친절 괜찮 나쁘지_않 문제_없
    문제없 굿 즐거 깔끔 잘_쓰고 잘쓰고 맛있`,
  mildGood: "감사 고마",
  bad: `나쁘 나빠 별로 느려 느리 느림 불편 오류 에러 버그 튕겨 튕기 튕김 멈춰 멈춤 안돼 안되 안_되 안_돼 안됨 안_됨 못하 못해 실망 짜증 재미없 비싸
    광고가_너무 광고_너무 광고가_많 문제 어려 복잡 삭제 지워 답답 화나 열받 렉 로그인이_안 안_열 안열 먹통 불친절 느려터 개선 고쳐 왜_ 왜이 도대체 오래_걸
    취소 늦 불만 좋지_않 추천하지_않 별로다`,
  worst:
    "최악 쓰레기 사기 개같 형편없 병신 ㅅㅂ 시발 씨발 망해 환불 돈_아까 엉망 쓸모없 그지같 거지같 노답 양아치",
  negators: "안",
  afterNegators: "지_않 지않 지도_않 지_못 지못",
};
