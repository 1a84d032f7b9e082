/** First and last code point, inclusive. */
export type CodeRange = readonly [number, number];

/** Where letters with two cases are: between these spans are ideographs, syllables, surrogates and symbols. */
const CASED_SPANS: readonly CodeRange[] = [
  [0, 0x2dff],
  [0xa640, 0xabbf],
  [0xff00, 0x118ff],
  [0x16e00, 0x16fff],
  [0x1e900, 0x1e9ff],
];
/** The dotless i: its upper case is I, but it is not an i (as in Unicode's case folding). */
const DOTLESS_I = 0x131;

let groups: Map<number, readonly number[]> | null = null;

/**
 * The characters of the ranges with their other cases (k, K and the Kelvin sign), by Unicode's simple case folding: one
 * character for one character, the same in every language.
 */
export function caseVariants(ranges: readonly CodeRange[]): CodeRange[] {
  groups ??= groupByCase();
  const widened: CodeRange[] = [...ranges];
  for (const [first, last] of ranges) {
    if (last - first < groups.size) {
      for (let code = first; code <= last; code++) addAll(widened, groups.get(code));
    } else {
      for (const [code, variants] of groups) if (code >= first && code <= last) addAll(widened, variants);
    }
  }
  return widened;
}

function addAll(ranges: CodeRange[], codes: readonly number[] | undefined): void {
  for (const code of codes ?? []) ranges.push([code, code]);
}

/** Each letter that has more than one case, with all its cases. */
function groupByCase(): Map<number, readonly number[]> {
  const byFolded = new Map<number, number[]>();
  for (const [first, last] of CASED_SPANS) {
    for (let code = first; code <= last; code++) {
      if (code === DOTLESS_I) continue;
      const folded = single(single(code, 'toUpperCase'), 'toLowerCase');
      const group = byFolded.get(folded);
      if (group) group.push(code);
      else byFolded.set(folded, [code]);
    }
  }
  const found = new Map<number, readonly number[]>();
  for (const group of byFolded.values()) if (group.length > 1) for (const code of group) found.set(code, group);
  return found;
}

/** The other case if it is a single character; otherwise the character itself (ß, SS). */
function single(code: number, convert: 'toUpperCase' | 'toLowerCase'): number {
  const converted = String.fromCodePoint(code)[convert]();
  const first = converted.codePointAt(0) as number;
  return String.fromCodePoint(first) === converted ? first : code;
}
