import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { unpackWoff } from './unpack-woff.ts';

export type Weight = 400 | 500 | 600;

const require = createRequire(import.meta.url);

/** Inter comes in one file per script, as web pages load it. This file lists the characters of each. */
const RANGES = require.resolve('@fontsource/inter/unicode.json');

interface Script {
  name: string;
  ranges: readonly (readonly [first: number, last: number])[];
}

/** Scripts in the order in which they are tried: most text is Latin. */
const ORDER = ['latin', 'latin-ext', 'greek', 'greek-ext', 'cyrillic', 'cyrillic-ext', 'vietnamese'];

const parseRanges = (text: string): [number, number][] =>
  text.split(',').map((range) => {
    const [first = '', last = first] = range.replace('U+', '').split('-');
    return [Number.parseInt(first, 16), Number.parseInt(last, 16)];
  });

const SCRIPTS: readonly Script[] = (() => {
  const written: Record<string, string> = JSON.parse(readFileSync(RANGES, 'utf8'));
  return ORDER.flatMap((name) => {
    const ranges = written[name];
    return ranges === undefined ? [] : [{ name, ranges: parseRanges(ranges) }];
  });
})();

export const fontName = (script: string, weight: Weight): string => `inter-${script}-${weight}`;

/** Font files that were read, by name. A process reads a file once, and only if a document uses it. */
const read = new Map<string, Buffer>();

export function fontFile(script: string, weight: Weight): Buffer {
  const name = fontName(script, weight);
  const known = read.get(name);
  if (known) return known;
  const path = join(dirname(RANGES), 'files', `inter-${script}-${weight}-normal.woff`);
  const font = unpackWoff(readFileSync(path));
  read.set(name, font);
  return font;
}

/** Characters that Inter lacks and that have an equivalent. */
const EQUIVALENTS: Readonly<Record<string, string>> = {
  '\u2264': '<=',
  '\u2265': '>=',
  '\u2260': '!=',
  '\u2192': '->',
  '\u2010': '-',
  '\u2011': '-',
  '\u2012': '\u2013',
  '\u2015': '\u2014',
  '\u00a0': ' ',
  '\u202f': ' ',
};
/** Stands for a character that no font has. Inter draws it as a box, which nobody takes for a question mark. */
const UNKNOWN = '\ufffd';

const scriptOf = (character: string): Script | undefined => {
  const point = character.codePointAt(0) ?? 0;
  return SCRIPTS.find(({ ranges }) => ranges.some(([first, last]) => point >= first && point <= last));
};

export interface Run {
  script: string;
  text: string;
}

/** Splits text where its script changes. Letters with accents are composed; control characters become spaces. */
export function runsOf(text: string): Run[] {
  const runs: Run[] = [];
  const append = (script: string, piece: string) => {
    const last = runs.at(-1);
    if (last?.script === script) last.text += piece;
    else runs.push({ script, text: piece });
  };
  for (const character of text.normalize('NFC')) {
    const point = character.codePointAt(0) ?? 0;
    if (point < 32 || point === 127) append('latin', ' ');
    else if (EQUIVALENTS[character]) append('latin', EQUIVALENTS[character]);
    else {
      const script = scriptOf(character);
      append(script?.name ?? 'latin', script ? character : UNKNOWN);
    }
  }
  return runs;
}
