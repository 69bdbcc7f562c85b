// Splits a normalized text into tokens: words, emoji, emoticons, and runs of exclamation marks, question
// marks and dots.
import {
  classOfCharacter,
  classOfUnit,
  isLeadingSurrogate,
  pictureUnit,
  unspacedUnit,
  wordUnit,
} from "./char-classes.ts";

type TokenKind = "word" | "unspaced" | "symbol";

/** `end` is exclusive, in UTF-16 units. */
export type Token = { start: number; end: number; kind: TokenKind };

export function tokenize(text: string): Token[] {
  const tokens: Token[] = [];
  for (let start = 0; start < text.length; ) {
    const unitClass = classAt(text, start);
    let end = start + characterLength(text, start);
    if (unitClass === wordUnit || unitClass === unspacedUnit) {
      end = endOfWord(text, { from: end, unitClass });
      tokens.push({ start, end, kind: unitClass === wordUnit ? "word" : "unspaced" });
    } else {
      const symbolEnd = unitClass === pictureUnit ? end : endOfSymbol(text, start);
      if (symbolEnd > start) {
        end = symbolEnd;
        tokens.push({ start, end, kind: "symbol" });
      }
    }
    start = end;
  }
  return tokens;
}

const apostrophe = "'";

function endOfWord(text: string, { from, unitClass }: { from: number; unitClass: number }): number {
  let end = from;
  while (end < text.length) {
    if (classAt(text, end) === unitClass) end += characterLength(text, end);
    else if (text[end] === apostrophe && classAt(text, end + 1) === unitClass) end += 1;
    else break;
  }
  return end;
}

function classAt(text: string, at: number): number {
  const unit = text.charCodeAt(at);
  if (!isLeadingSurrogate(unit)) return classOfUnit(unit);
  return classOfCharacter(text.slice(at, at + 2));
}

function characterLength(text: string, at: number): number {
  return isLeadingSurrogate(text.charCodeAt(at)) ? 2 : 1;
}

const emoticon = /[:;=][-']?[()dp[\]/\\|]/y;

/** Where the symbol that begins here ends; `start` when it is not a token. */
function endOfSymbol(text: string, start: number): number {
  const character = text.charAt(start);
  if (character === "!" || character === "?") return endOfRun(text, { start, characters: "!?" });
  if (character === ".") {
    const end = endOfRun(text, { start, characters: "." });
    return end - start > 1 ? end : start;
  }
  if (character !== ":" && character !== ";" && character !== "=") return start;
  emoticon.lastIndex = start;
  const end = start + (emoticon.exec(text)?.[0].length ?? 0);
  // ":d" is an emoticon, but not at the beginning of ":data".
  return classAt(text, end - 1) === wordUnit && classAt(text, end) === wordUnit ? start : end;
}

function endOfRun(
  text: string,
  { start, characters }: { start: number; characters: string },
): number {
  let end = start;
  while (end < text.length && characters.includes(text.charAt(end))) end += 1;
  return end;
}
