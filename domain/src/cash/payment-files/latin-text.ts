/** Letters that have no accent to remove, by the recommendation of the European Payments Council where it has one. */
const LETTERS: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ł: 'l',
  ħ: 'h',
  ı: 'i',
  ŋ: 'n',
  ŧ: 't',
  ĸ: 'k',
  // Greek.
  α: 'a',
  β: 'v',
  γ: 'g',
  δ: 'd',
  ε: 'e',
  ζ: 'z',
  η: 'i',
  θ: 'th',
  ι: 'i',
  κ: 'k',
  λ: 'l',
  μ: 'm',
  ν: 'n',
  ξ: 'x',
  ο: 'o',
  π: 'p',
  ρ: 'r',
  σ: 's',
  ς: 's',
  τ: 't',
  υ: 'y',
  φ: 'f',
  χ: 'ch',
  ψ: 'ps',
  ω: 'o',
  // Cyrillic.
  а: 'a',
  б: 'b',
  в: 'v',
  г: 'g',
  д: 'd',
  е: 'e',
  ж: 'zh',
  з: 'z',
  и: 'i',
  к: 'k',
  л: 'l',
  м: 'm',
  н: 'n',
  о: 'o',
  п: 'p',
  р: 'r',
  с: 's',
  т: 't',
  у: 'u',
  ф: 'f',
  х: 'h',
  ц: 'ts',
  ч: 'ch',
  ш: 'sh',
  щ: 'sht',
  ъ: 'a',
  ы: 'y',
  ь: 'y',
  э: 'e',
  ю: 'yu',
  я: 'ya',
  є: 'ye',
  і: 'i',
  ђ: 'dj',
  ј: 'j',
  љ: 'lj',
  њ: 'nj',
  ћ: 'c',
  џ: 'dz',
  // Signs.
  '&': '+',
  '’': "'",
  '‘': "'",
  '`': "'",
  '´': "'",
  '"': "'",
  '“': "'",
  '”': "'",
  '„': "'",
  '–': '-',
  '—': '-',
  '‐': '-',
  _: '-',
  '@': '(at)',
  ';': ',',
  '[': '(',
  ']': ')',
  '{': '(',
  '}': ')',
  '€': 'EUR',
  '£': 'GBP',
  $: 'USD',
};

/** The characters that all banks take: those of SWIFT and of SEPA credit transfers. */
const ALLOWED = /^[A-Za-z0-9/\-?:().,'+ ]$/;
const CAPITAL = /^\p{Lu}$/u;

function latinSign(sign: string): string {
  if (ALLOWED.test(sign)) return sign;
  if (/^\s$/.test(sign)) return ' ';
  const lower = sign.toLowerCase();
  const known = Object.hasOwn(LETTERS, sign) ? LETTERS[sign]! : Object.hasOwn(LETTERS, lower) ? LETTERS[lower]! : '.';
  return CAPITAL.test(sign) ? known.charAt(0).toUpperCase() + known.slice(1) : known;
}

/**
 * Text in the characters that all banks take, with what cannot be written as a full stop: "Żółw & Söhne" is
 * "Zolw + Sohne". Spaces are single, and there are none at the ends.
 * @param longest the number of characters after which it is cut
 */
export const latinText = (text: string, longest: number): string =>
  [...text.normalize('NFKD').replaceAll(/\p{M}/gu, '')]
    .map(latinSign)
    .join('')
    .replaceAll(/ +/g, ' ')
    .trim()
    .slice(0, longest)
    .trim();

/** A text that identifies something: besides its characters, it neither begins nor ends with a slash nor has two in a row. */
export const latinIdentifier = (text: string, longest: number): string =>
  latinText(text, longest)
    .replaceAll(/\/{2,}/g, '/')
    .replaceAll(/^\/|\/$/g, '')
    .trim();

/** Whether the text has a letter or digit that can be written. */
export const isWritable = (text: string): boolean => /[A-Za-z0-9]/.test(latinText(text, text.length * 4));
