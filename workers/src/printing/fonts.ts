import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { unpackWoff } from './unpack-woff.ts';

export type Weight = 400 | 500 | 600;
/** Codes that are copied, such as account numbers, are in the monospace font. */
export type Family = 'inter' | 'jetbrains-mono';

const require = createRequire(import.meta.url);

/** A font comes in one file per script, as web pages load it. This file lists the characters of each. */
const RANGES: Readonly<Record<Family, string>> = {
  inter: require.resolve('@fontsource/inter/unicode.json'),
  'jetbrains-mono': require.resolve('@fontsource/jetbrains-mono/unicode.json'),
};

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

function readScripts(family: Family): readonly Script[] {
  const written: Record<string, string> = JSON.parse(readFileSync(RANGES[family], 'utf8'));
  return ORDER.flatMap((name) => {
    const ranges = written[name];
    return ranges === undefined ? [] : [{ name, ranges: parseRanges(ranges) }];
  });
}

const SCRIPTS: Readonly<Record<Family, readonly Script[]>> = {
  inter: readScripts('inter'),
  'jetbrains-mono': readScripts('jetbrains-mono'),
};

export const fontName = (family: Family, script: string, weight: Weight): string => `${family}-${script}-${weight}`;

export function fontFile(family: Family, script: string, weight: Weight): Buffer {
  return unpackWoff(
    readFileSync(join(dirname(RANGES[family]), 'files', `${fontName(family, script, weight)}-normal.woff`)),
  );
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

const scriptOf = (family: Family, character: string): Script | undefined => {
  const point = character.codePointAt(0) ?? 0;
  return SCRIPTS[family].find(({ ranges }) => ranges.some(([first, last]) => point >= first && point <= last));
};

/** Text that the first script has as it is: nearly all. */
const PLAIN = /^[\u0020-\u007e\u00a1-\u00ff\u2013\u2014\u2018\u2019\u201c\u201d\u2022\u2026\u2212]+$/;

export interface Run {
  script: string;
  text: string;
}

/** Splits text where its script changes. Letters with accents are composed; control characters become spaces. */
export function runsOf(text: string, family: Family = 'inter'): Run[] {
  if (PLAIN.test(text)) return [{ script: 'latin', text }];
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
      const script = scriptOf(family, character);
      append(script?.name ?? 'latin', script ? character : UNKNOWN);
    }
  }
  return runs;
}
