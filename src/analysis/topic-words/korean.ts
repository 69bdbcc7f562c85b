// What Korean reviews call the topics: `_` is a blank, `*` an open end.
import type { TopicWords } from "../topics.ts";

export const korean: TopicWords = {
  crash: "튕겨 튕기 튕김 강제종료 강제_종료 꺼져요 자꾸_꺼 꺼짐",
  bug: "버그 오류 에러 안_돼요 안돼요 안되 작동_안",
  performance: "느려 느리 렉 버벅 멈춰 로딩 끊겨 끊김",
  login: "로그인 비밀번호 인증 회원가입 로그아웃",
  pricing: "가격 비싸 비싼 무료 유료 저렴",
  subscription: "구독 정기결제 월정액 프리미엄 해지",
  ads: "광고",
  ui: "디자인 화면 인터페이스 다크모드 버튼 직관적",
  featureRequest: "추가해 있으면_좋겠 해주세요 기능이_있 만들어주세요 넣어주세요 넣어_주세요",
  update: "업데이트 업뎃 버전",
  notifications: "알림 푸시",
  support: "고객센터 상담 답변이_없 문의",
  privacy: "개인정보 사생활 권한",
  battery: "배터리 발열",
  payment: "결제 환불 카드 입금 송금",
  content: "콘텐츠 컨텐츠 영상 노래 음악 기사 영화 뉴스",
  praise: "최고 강추 완벽 너무_좋아요 정말_좋아요 훌륭",
};
