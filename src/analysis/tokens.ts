// Parts a text in normal form into what carries meaning: words, emoji, typed faces, and the marks of
// excitement and doubt.
import {
  unspacedUnit,
  classOfCharacter,
  classOfUnit,
  isLeadingSurrogate,
  pictureUnit,
  wordUnit,
} from "./char-classes.ts";

export type TokenKind = "word" | "blankless" | "sign";

/** `end` is exclusive, in UTF-16 units. */
export type Token = { start: number; end: number; kind: TokenKind };

export function tokenize(text: string): Token[] {
  const tokens: Token[] = [];
  for (let start = 0; start < text.length; ) {
    const unitClass = classAt(text, start);
    let end = start + signLength(text, start);
    if (unitClass === wordUnit || unitClass === unspacedUnit) {
      end = endOfWord(text, end, unitClass);
      tokens.push({ start, end, kind: unitClass === wordUnit ? "word" : "blankless" });
    } else {
      const signEnd = unitClass === pictureUnit ? end : endOfSign(text, start);
      if (signEnd > start) {
        end = signEnd;
        tokens.push({ start, end, kind: "sign" });
      }
    }
    start = end;
  }
  return tokens;
}

const apostrophe = "'";

function endOfWord(text: string, from: number, unitClass: number): number {
  let end = from;
  while (end < text.length) {
    if (classAt(text, end) === unitClass) end += signLength(text, end);
    else if (text[end] === apostrophe && classAt(text, end + 1) === unitClass) end += 1;
    else break;
  }
  return end;
}

function classAt(text: string, place: number): number {
  const unit = text.charCodeAt(place);
  if (!isLeadingSurrogate(unit)) return classOfUnit(unit);
  return classOfCharacter(text.slice(place, place + 2));
}

function signLength(text: string, place: number): number {
  return isLeadingSurrogate(text.charCodeAt(place)) ? 2 : 1;
}

const face = /[:;=][-']?[()dp[\]/\\|]/y;

/** Where the marks that begin here end; `start` when they carry no meaning. */
function endOfSign(text: string, start: number): number {
  const sign = text.charAt(start);
  if (sign === "!" || sign === "?") return endOfRun(text, start, "!?");
  if (sign === ".") {
    const end = endOfRun(text, start, ".");
    return end - start > 1 ? end : start;
  }
  if (sign !== ":" && sign !== ";" && sign !== "=") return start;
  face.lastIndex = start;
  const end = start + (face.exec(text)?.[0].length ?? 0);
  // ":d" is a laugh, and the beginning of ":data" is none.
  return classAt(text, end - 1) === wordUnit && classAt(text, end) === wordUnit ? start : end;
}

function endOfRun(text: string, start: number, signs: string): number {
  let end = start;
  while (end < text.length && signs.includes(text.charAt(end))) end += 1;
  return end;
}
