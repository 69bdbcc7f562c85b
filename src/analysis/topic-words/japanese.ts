// What Japanese reviews call the topics: `_` is a blank, `*` an open end.
import type { TopicWords } from "../topics.ts";

export const japanese: TopicWords = {
  crash: "落ちる 落ちます 落ちて 強制終了 クラッシュ 勝手に閉じ",
  bug: "バグ 不具合 エラー 動かない 使えなくな 表示されない",
  performance: "重い 遅い 重すぎ フリーズ 固まる 読み込みが 動作が 重くて ラグ カクつ",
  login: "ログイン パスワード サインイン ログアウト 認証 アカウントに入れ 会員登録",
  pricing: "値段 価格 高すぎ 料金 無料 値上げ 有料",
  subscription: "サブスク 定期購入 課金制 月額 プレミアム 解約 無料トライアル",
  ads: "広告 cm",
  ui: "デザイン 画面が 操作性 見にくい 見づらい 見やすい 使いにくい インターフェ ダークモード ボタン レイアウト",
  featureRequest:
    "追加して 機能がほしい 機能が欲しい 欲しいです ほしいです できるようにして 対応して あれば嬉しい あると嬉しい",
  update: "アップデート 更新 アプデ バージョン",
  notifications: "通知 リマインダー",
  support: "サポート 問い合わせ カスタマー 返信がない 返事がない",
  privacy: "プライバシー 個人情報 位置情報",
  battery: "バッテリー 電池 充電の減り",
  payment: "支払い 決済 返金 課金 クレジットカード 請求 引き落と 入金",
  content: "コンテンツ 動画 曲 記事 作品 ストーリー ニュース 映画",
  praise: "最高 素晴らしい 神アプリ 大好き 完璧 とても便利 神ゲー すばらしい",
};
