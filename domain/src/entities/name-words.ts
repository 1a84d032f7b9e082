/** Words that give the legal form of a company and do not identify it. */
const LEGAL_FORMS = new Set(
  'ab ag bv co company corp corporation gmbh inc incorporated kg limited llc llp lp ltd nv oy plc pte pty sa sarl sas se spa srl'.split(
    ' ',
  ),
);
/** Words that names have in common. */
export const COMMON_NAME_WORDS = new Set([...LEGAL_FORMS, 'the', 'and', 'of']);

/** Whether a name ends with the legal form of a company. */
export const isCompany = (name: string): boolean =>
  LEGAL_FORMS.has(/([a-z]+)\W*$/i.exec(name.replaceAll('.', ''))?.[1]?.toLowerCase() ?? '');

/** "Petrović & Söhne" and "petrovic-sohne" have the same words. */
export const nameWords = (text: string): string[] =>
  text
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll('ß', 'ss')
    .replaceAll(/[øØ]/g, 'o')
    .replaceAll(/[łŁ]/g, 'l')
    .toLowerCase()
    .replaceAll(/['’]/g, '')
    .split(/[^\p{L}\p{N}]+/u)
    // "LP0471" is a word and a number.
    .flatMap((word) => word.split(/(?<=^(?:lp|inv|fund))(?=\d)/))
    .filter((word) => word !== '');

/** The words that identify a name; all of its words if there are no such words. */
export const similarWords = (name: string): string[] => {
  const words = nameWords(name);
  const identifying = words.filter((word) => !COMMON_NAME_WORDS.has(word));
  return identifying.length > 0 ? identifying : words;
};

export const withoutExtension = (name: string): string => name.replace(/\.[A-Za-z0-9]{1,5}$/, '');

/** The position at which the words occur in a row; -1 if they do not. */
export function indexWithin(words: readonly string[], within: readonly string[]): number {
  if (words.length === 0) return -1;
  for (let start = 0; start + words.length <= within.length; start += 1) {
    if (words.every((word, at) => within[start + at] === word)) return start;
  }
  return -1;
}
