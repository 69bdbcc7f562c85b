// Invented reviews in English.
import type { PhraseBook } from "./phrase-book.ts";

export const english: PhraseBook = {
  nicknames: [
    "maple_dan",
    "QuietRiver",
    "j.harlow",
    "Tess W",
    "oldbike77",
    "nora.k",
    "Benny",
    "ink&paper",
  ],
  slots: {
    device: ["tablet", "old phone", "new phone", "foldable", "work phone"],
    feature: ["the calendar", "shared lists", "the widget", "search", "dark mode", "the export"],
    time: ["a week", "three months", "two years", "half a year", "a few days"],
    price: ["2.99 a month", "40 a year", "5 dollars"],
  },
  praise: [
    [
      "Does what it says",
      "Been using it for {time} and it just works. {feature} is the best part.",
    ],
    ["Love it", "Clean, fast and no nonsense. I plan my whole week with it."],
    ["Finally", "Tried six other planners before this one. {feature} alone is worth {price}."],
    [
      "Great support",
      "Wrote to the team about {feature} and had an answer the same day. Impressive.",
    ],
    ["So smooth", "Opens instantly even on my {device}. The new design is beautiful."],
    ["Daily companion", "Sync between my {device} and laptop is flawless after {time} of use."],
  ],
  mixed: [
    ["Good but pricey", "I really like {feature}, but {price} is too much for a to-do list."],
    ["Nearly there", "Nice app. Please add reminders by location, then it's five stars."],
    [
      "Mixed feelings",
      "Works well on my {device}, yet the battery drains twice as fast since {version}.",
    ],
  ],
  complaints: [
    ["Too many ads", "A full-screen ad every time I open {feature}. Unusable without paying."],
    ["Lost my notes", "Sync failed and {time} of entries disappeared. Support never answered."],
    ["Slow", "Takes ten seconds to start on my {device}. It used to be quick."],
    ["Subscription trap", "Cancelled the trial and was charged {price} anyway. I want a refund."],
    ["Notifications broken", "Reminders arrive hours late or not at all. What is the point?"],
    ["Confusing update", "Why move {feature} into a submenu? Nobody asked for the redesign."],
  ],
  outrage: [
    ["Crashes on start", "Since {version} it crashes every single time I open it. Fix this!"],
    [
      "Can't log in",
      "The update to {version} logged me out and my password is not accepted any more.",
    ],
    ["Unusable", "White screen, then it closes. Reinstalled twice on my {device}, no change."],
    [
      "What happened?",
      "Was five stars for {time}. Version {version} destroyed everything, my lists are gone.",
    ],
  ],
  more: {
    good: [
      "Recommended.",
      "Thanks to the developers!",
      "Keep it up.",
      "My whole family uses it now.",
    ],
    bad: [
      "Very disappointed.",
      "Looking for an alternative.",
      "Please fix it soon.",
      "Going back to paper.",
    ],
  },
  replies: [
    "Thank you for telling us. Please update to the latest version and write to us if it goes on.",
    "We're glad it helps you every day!",
  ],
};
