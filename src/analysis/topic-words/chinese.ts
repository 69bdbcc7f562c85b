// What Chinese reviews call the topics: `_` is a blank, `*` an open end.
import type { TopicWords } from "../topics.ts";

export const chinese: TopicWords = {
  crash: "闪退 崩溃 閃退 崩潰 自动退出",
  bug: "bug 错误 报错 出错 故障 打不开 用不了 錯誤 漏洞",
  performance: "卡顿 太卡 很卡 好卡 卡死 太慢 很慢 加载慢 反应慢 延迟 加载",
  login: "登录 登入 登陆 密码 验证码 註冊 注册 密碼 驗證碼",
  pricing: "价格 太贵 收费 价钱 免费 太貴 收費 便宜",
  subscription: "订阅 会员 訂閱 試用 试用 续费 vip",
  ads: "广告 廣告",
  ui: "界面 设计 布局 介面 設計 深色模式 按钮",
  featureRequest: "希望增加 希望能 建议增加 建议 能不能加 希望可以 希望添加 建議",
  update: "更新 新版 升级 升級 版本",
  notifications: "通知 推送 提醒",
  support: "客服 售后 不回复 客服电话",
  privacy: "隐私 隱私 个人信息 個資 权限",
  battery: "耗电 电池 耗電 电量 发热",
  payment: "付款 支付 退款 扣费 充值 付费 扣款 退钱",
  content: "内容 視頻 视频 文章 歌曲 音乐 电影 关卡 新闻",
  praise: "非常好 太棒 很棒 最好 完美 强烈推荐 最棒 超好用 非常棒",
};
