// Generates distinct reviews of a given length, in the mix of languages of a large app.
import type { AnalysisInput } from "../../src/domain/review/analysis.ts";

const reviewCount = 400;

const phrases: readonly string[] = [
  "The app used to work great but since the last update it keeps crashing whenever I open my calendar.",
  "Support never answers, please fix the login because I can't sign in any more!",
  "Love the new design, dark mode is gorgeous 😍 and syncing is quick, well done team.",
  "Too many ads after every single level, I would rather pay once than watch another one.",
  "Aplikasinya bagus dan sangat membantu, tapi setelah diperbarui jadi lemot sekali dan sering keluar sendiri.",
  "No puedo entrar en mi cuenta desde ayer, ya escribí tres veces y nadie me contesta, qué decepción.",
  "Funktioniert einwandfrei, nur die Benachrichtigungen kommen manchmal eine Stunde zu spät an.",
  "Très pratique au quotidien, dommage que l'abonnement soit devenu aussi cher cette année.",
  "Не открывается после обновления, верните старую версию, пожалуйста.",
  "とても便利で毎日使っていますが、最近は広告が多くて少し残念です。",
];

export function generateReviews(length: number): AnalysisInput[] {
  return Array.from({ length: reviewCount }, (_, index) => ({
    title: null,
    text: textOf(index, length),
    rating: 1 + (index % 5),
    languageHint: null,
  }));
}

// One language per review: its phrase repeated, from a different offset each time.
function textOf(index: number, length: number): string {
  const phrase = `${phrases[index % phrases.length] ?? ""} `;
  const from = Math.floor(index / phrases.length) % phrase.length;
  const repeated = phrase.repeat(Math.ceil((from + length) / phrase.length) + 1);
  return `${repeated.slice(from, from + length - 4)} ${index}`;
}
