// What emoji and typed faces say, in every language.
import type { SentimentWords } from "../sentiment-lexicon.ts";

export const emoji: SentimentWords = {
  best: "😍 🥰 ❤ 💖 💯 🤩 😻 💕 💗 💝 🏆 🔥 💙 💚 💜 🧡 💛 🖤 ♥ 🌟 ⭐ 🫶 😘",
  good: "👍 😊 😀 😁 😃 😄 👏 🙂 ☺ 😎 👌 🎉 ✨ 🙌 💪 😇 🤗 💐 🌹 ✅ 😋 🤝 :) :-) :d ^_^ ^^",
  mildGood: "🙏 😅 😉 😂 🤣 ;)",
  bad: "👎 😞 😔 😟 😕 🙁 ☹ 😣 😩 😫 😤 😒 😑 🙄 😢 😭 💔 😖 😓 🥲 😥 :( :-( :'( ❌ 😪 🤦 🤬",
  worst: "😡 😠 🤬 🤮 🤢 💩 🖕 👿 🗑",
  negators: "",
};
