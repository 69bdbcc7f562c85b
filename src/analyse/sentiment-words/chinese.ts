// Words of praise and blame in Chinese reviews: `_` is a blank, `*` an open end.
import type { SentimentWords } from "../sentiment-lexicon.ts";

export const chinese: SentimentWords = {
  best: "最好 完美 太棒 非常好 超级好 很棒 最棒 特别好 超好 超赞 强烈推荐 五星 太好了 神器 非常棒",
  good: `好用 不错 很好 喜欢 方便 好玩 推荐 实用 有用 满意 漂亮 流畅 快捷 好看 有趣 挺好 还好 棒 赞 给力 没问题 没有问题 不差 不赖 很快 优秀 简单 好评 有帮助
    清晰 開心 喜歡 不錯 推薦 實用 滿意`,
  mildGood: "谢谢 感谢 謝謝 可以 加油",
  bad: `不好 差 卡顿 卡死 太卡 很卡 闪退 崩溃 错误 问题 bug 慢 不能用 用不了 打不开 登不上 登录不了 无法 失败 难用 不好用 失望 广告太多 广告多 太多广告 垃圾广告
    麻烦 太贵 烦 恶心人 不方便 卸载 无聊 不喜欢 不推荐 差评 一般般 越来越差 坑 没用 沒用 閃退 失敗 難用 無法 廣告太多 黑屏 不行 修复 bug太多 不能 不了
    太差劲 白屏 扣费 乱扣费 強制`,
  worst:
    "垃圾 最差 骗子 骗钱 诈骗 骗人 太差 恶心 一星 烂 坑人 坑钱 極差 极差 詐騙 爛 傻逼 流氓 无耻 吃相难看",
  negators: "不 没有 没 不是 沒有 不太 不怎么 別",
};
