// A text in which the words of a search are marked.

type MarkedProps = { text: string; words: string | undefined };

export function Marked({ text, words }: MarkedProps) {
  if (!words) return text;
  const pattern = new RegExp(`(${words.replace(/[.*+?^${}()|[\]\\/-]/g, "\\$&")})`, "gi");
  // Every second part is a hit.
  const parts = text.split(pattern).map((part, index) => ({ part, index }));
  return parts.map(({ part, index }) =>
    index % 2 === 1 ? <mark key={index}>{part}</mark> : <span key={index}>{part}</span>,
  );
}
