"""Writes how common words are, for `npm run train -- spelling`: a file of words and Zipf frequencies for each language.

Needs the package wordfreq 3.1.1. Its code is under Apache 2.0, its data under CC BY-SA 4.0.
"""

import pathlib
import sys

import wordfreq

LANGUAGES = "ar cs da de el en es fa fi fr he hu id it nl no pl pt ro ru sv tl tr uk"
OTHER_CODES = {"no": "nb", "tl": "fil"}
ZIPF_MIN = 2.0

folder = pathlib.Path(sys.argv[1])
folder.mkdir(parents=True, exist_ok=True)
for language in LANGUAGES.split():
    frequencies = wordfreq.get_frequency_dict(OTHER_CODES.get(language, language), "best")
    zipf = {word: wordfreq.freq_to_zipf(frequency) for word, frequency in frequencies.items()}
    common = sorted((-value, word) for word, value in zipf.items() if value >= ZIPF_MIN)
    lines = [f"{word}\t{-value:.2f}\n" for value, word in common]
    (folder / f"{language}.tsv").write_text("".join(lines), encoding="utf-8")
