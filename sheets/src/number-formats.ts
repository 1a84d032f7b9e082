/** Excel's built-in formats by id, as far as a reader needs them. Ids 27-36 and 50-58 are East Asian dates. */
const BUILT_IN: Record<number, string> = {
  0: 'General',
  1: '0',
  2: '0.00',
  3: '#,##0',
  4: '#,##0.00',
  9: '0%',
  10: '0.00%',
  11: '0.00E+00',
  14: 'mm-dd-yy',
  15: 'd-mmm-yy',
  16: 'd-mmm',
  17: 'mmm-yy',
  18: 'h:mm AM/PM',
  19: 'h:mm:ss AM/PM',
  20: 'h:mm',
  21: 'h:mm:ss',
  22: 'm/d/yy h:mm',
  37: '#,##0',
  38: '#,##0',
  39: '#,##0.00',
  40: '#,##0.00',
  41: '#,##0',
  42: '#,##0',
  43: '#,##0.00',
  44: '#,##0.00',
  45: 'mm:ss',
  46: '[h]:mm:ss',
  47: 'mm:ss.0',
};

export function builtInFormat(id: number): string {
  return BUILT_IN[id] ?? ((id >= 27 && id <= 36) || (id >= 50 && id <= 58) ? 'yyyy-mm-dd' : 'General');
}

/** The positive section without its literal parts: quoted and escaped text, padding, colors, conditions, locales. */
function positiveSection(format: string): string {
  const bare = format.replace(/"[^"]*"?|\\.|_.|\*./g, '');
  return (bare.split(';')[0] ?? '').replace(/\[(?!(?:h+|m+|s+)\])[^\]]*\]?/gi, '');
}

/**
 * Whether a number in this format is displayed as a date or a time of day. Elapsed time (`[h]:mm`) is a duration, not a
 * date.
 */
export function isDateFormat(format: string): boolean {
  const section = positiveSection(format);
  if (/\[(?:h+|m+|s+)\]/i.test(section) || /^\s*general\s*$/i.test(section)) {
    return false;
  }
  return /[dmyhs]/i.test(section);
}

/** Excel itself accepts no longer format. */
const LONGEST_FORMAT = 255;

/**
 * The sign or code of the currency that a format shows with a number: `[$€-407]`, `[$SEK]`, `"NGN" #,##0`, `£#,##0`; null
 * if it shows none. Which currency a sign stands for is not known here.
 */
export function currencyMark(code: string): string | null {
  const format = code.slice(0, LONGEST_FORMAT);
  if (isDateFormat(format)) {
    return null;
  }
  const bracketed = /\[\$([^\]-]+)(?:-[^\]]*)?\]/.exec(format)?.[1]?.trim();
  if (bracketed) {
    return bracketed;
  }
  const quoted = [...format.matchAll(/"([^"]*)"/g)].map(([, text = '']) => text.trim());
  return (
    quoted.find((text) => /^(?:\p{Sc}|[A-Z]{3})$/u.test(text)) ??
    /\p{Sc}/u.exec(format.replace(/"[^"]*"|\[[^\]]*\]/g, ''))?.[0] ??
    null
  );
}
