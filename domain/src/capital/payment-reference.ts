import type { ObligationKind } from '../cash/labels.ts';
import type { PartyKind } from '../cash/party.ts';

/**
 * What whoever pays states, so that the payment finds what it pays: "HCF2-C9-012-4", which is the code of the fund, the
 * call, the code of the investor and a check digit. Distributions have a D and draws a W, with the facility and the borrower;
 * so have invoices, with an I.
 * It is unique over the manager. Only the letters before the number of the fund come from its title: they help people,
 * and a fund that is renamed keeps its references.
 */
export interface ReferencedObligation {
  readonly kind: Exclude<ObligationKind, 'repayment'>;
  /** The fund or the facility, with its number among those of the manager. */
  readonly source: { readonly title: string; readonly code: number };
  /** Of the call, the distribution or the draw, as people entered it. */
  readonly number: string;
  /** Who pays or is paid, with its number among the investors, funds or borrowers of the manager. */
  readonly party: { readonly kind: PartyKind; readonly code: number };
  /** The lasting place of its class among those that the fund has had, from 0: an investor of two classes pays two parts. Null without classes. */
  readonly classPlace: number | null;
}

/** Damm's table: it finds every wrong digit and every swap of two neighbours. */
const DAMM = [
  '0317598642',
  '7092154863',
  '4206871359',
  '1750983426',
  '6123045978',
  '3674209581',
  '5869720134',
  '8945362017',
  '9438617205',
  '2581436790',
] as const;

const SHORTEST_INVESTOR = 3;
const LONGEST_INVESTOR = 9;
const LONGEST_PLAIN_CALL = 8;
/** Between the parts of a reference in a text. */
const LONGEST_SEPARATOR = 3;

/** A letter counts as its place in the alphabet plus ten. */
const digitsOf = (text: string): string =>
  [...text].map((sign) => (/\d/.test(sign) ? sign : String(sign.charCodeAt(0) - 55))).join('');

interface Parts {
  /** C, D, W or I. */
  readonly sign: string;
  readonly fund: string;
  readonly call: string;
  readonly isFund: boolean;
  readonly investor: string;
  readonly letters: string;
}

/**
 * The check digit. It also depends on where the investor's number begins, so that a reference without hyphens has one
 * reading only: "C9" with investor 1234, and "C91" with investor 234, end in different digits.
 */
function checkDigit({ fund, call, isFund, investor, letters }: Parts): string {
  const interim = [...digitsOf(fund + call + (isFund ? 'F' : '') + investor + letters)].reduce(
    (state, digit) => Number(DAMM[state]?.[Number(digit)] ?? 0),
    0,
  );
  return String((interim + investor.length + (isFund ? 5 : 0)) % 10);
}

/** Of any text, by the FNV-1a method: four signs of 36. */
function shortHash(text: string): string {
  let hash = 0x811c9dc5;
  for (const sign of text) hash = Math.imul(hash ^ (sign.codePointAt(0) ?? 0), 0x01000193) >>> 0;
  return (hash % 36 ** 4).toString(36).toUpperCase().padStart(4, '0');
}

/**
 * A number as a reference states it: itself if it has capital letters and digits only, otherwise its first ones,
 * an X and what tells it from others that begin so.
 */
function callSign(callNumber: string): string {
  const plain = callNumber.toUpperCase().replaceAll(/[^0-9A-Z]|X/g, '');
  return plain === callNumber && plain.length <= LONGEST_PLAIN_CALL
    ? plain
    : `${plain.slice(0, 5)}X${shortHash(callNumber)}`;
}

/** A, B, ..., Z, AA, AB: the place of a class. */
const lettersOf = (index: number): string =>
  (index >= 26 ? String.fromCharCode(64 + Math.floor(index / 26)) : '') + String.fromCharCode(65 + (index % 26));

const partsOf = ({ kind, source, number, party, classPlace }: ReferencedObligation): Parts => ({
  sign: kind === 'contribution' ? 'C' : kind === 'distribution' ? 'D' : kind === 'draw' ? 'W' : 'I',
  fund: String(source.code),
  call: callSign(number),
  isFund: party.kind === 'fund',
  investor: String(party.code).padStart(SHORTEST_INVESTOR, '0'),
  letters: classPlace === null ? '' : lettersOf(classPlace),
});

const written = (parts: Parts): string =>
  `${parts.fund}-${parts.sign}${parts.call}-${parts.isFund ? 'F' : ''}${parts.investor}${parts.letters}-${checkDigit(parts)}`;

/** Initials of the words of a title, at most three: "HCF". "F" if there are none in the Latin alphabet. */
const initialsOf = (title: string): string =>
  title
    .normalize('NFD')
    .replaceAll(/\p{M}/gu, '')
    .toUpperCase()
    .split(/[^A-Z]+/)
    .flatMap((word) => word[0] ?? [])
    .slice(0, 3)
    .join('') || 'F';

/** The reference of an obligation, as notices, wire instructions, payment files and screens state it: "HCF2-C9-012-4". */
export const obligationReference = (obligation: ReferencedObligation): string =>
  initialsOf(obligation.source.title) + written(partsOf(obligation));

/** What identifies the same reference, whatever letters its fund has: "2-C9-012-4". */
export const obligationReferenceKey = (obligation: ReferencedObligation): string => written(partsOf(obligation));

const KIND_OF_SIGN = { C: 'contribution', D: 'distribution', W: 'draw', I: 'invoice' } as const;

/** What a key says about where to look: "2-C9-012-4" is of a contribution, fund 2 and party 12. Null for no key. */
export function partsOfReferenceKey(
  key: string,
): { kind: ReferencedObligation['kind']; source: number; party: number } | null {
  const [, source, sign, party] = /^(\d{1,9})-([CDWI])[0-9A-Z]+-F?(\d{1,9})[A-Z]*-\d$/.exec(key) ?? [];
  return sign === undefined
    ? null
    : { kind: KIND_OF_SIGN[sign as keyof typeof KIND_OF_SIGN], source: Number(source), party: Number(party) };
}

const BEGINNING = /^([A-Z]{1,3})(\d{1,9})([CDWI])([0-9A-Z]+)$/;

/**
 * The ways to read signs without hyphens that their check digit confirms.
 * @param breaks where the text has something between the signs: only between parts
 */
function readingsOf(signs: string, breaks: readonly number[]): string[] {
  const [, prefix = '', fund = '', sign = '', rest = ''] = BEGINNING.exec(signs) ?? [];
  const check = rest.slice(-1);
  const [, call = '', digits = '', letters = ''] = /^(.*?)(\d+)([A-Z]{0,2})$/.exec(rest.slice(0, -1)) ?? [];
  const found: string[] = [];
  for (let length = SHORTEST_INVESTOR; length <= Math.min(digits.length, LONGEST_INVESTOR); length += 1) {
    const investor = digits.slice(-length);
    if (length > SHORTEST_INVESTOR && investor.startsWith('0')) continue;
    const before = call + digits.slice(0, -length);
    const endsInF = before.endsWith('F') && before.length > 1;
    for (const isFund of endsInF ? [false, true] : [false]) {
      const parts: Parts = { sign, fund, call: isFund ? before.slice(0, -1) : before, isFund, investor, letters };
      if (parts.call === '' || checkDigit(parts) !== check) continue;
      const start = prefix.length + fund.length;
      const allowed = [start, start + 1 + parts.call.length, signs.length - 1];
      if (breaks.every((index) => allowed.includes(index))) found.push(written(parts));
    }
  }
  return found;
}

/**
 * The keys (`obligationReferenceKey`) of the references in a text, for example what a payer wrote: in capitals or not, with
 * or without hyphens, between other words. A reference with a wrong digit is not found. More than one means that a person
 * decides.
 */
export function findPaymentReferences(text: string): string[] {
  const runs = [...text.toUpperCase().matchAll(/[0-9A-Z]+/g)];
  const found = new Set<string>();
  for (let first = 0; first < runs.length; ) {
    const { keys, length } = referencesAt(text, runs.slice(first, first + 5));
    for (const key of keys) found.add(key);
    first += Math.max(1, length);
  }
  return [...found];
}

/** The references that begin with the first run of signs, and how many runs they have. */
function referencesAt(text: string, runs: readonly RegExpExecArray[]): { keys: Set<string>; length: number } {
  const keys = new Set<string>();
  let length = 0;
  if (!/^[A-Z]{1,3}\d/.test(runs[0]?.[0] ?? '')) return { keys, length };
  let signs = '';
  const breaks: number[] = [];
  const between = new Set<string>();
  // Fund, call, investor and check digit: with hyphens, four runs.
  for (const [index, run] of runs.slice(0, 4).entries()) {
    if (index > 0) breaks.push(signs.length);
    signs += run[0];
    const next = runs[index + 1];
    const separator = text.slice(run.index + run[0].length, next?.index);
    // What goes on as it began is not over: the check digit is still to come.
    const goesOn = index > 0 && index < 3 && between.has(separator) && /^F?\d/.test(next?.[0] ?? '');
    for (const key of goesOn ? [] : readingsOf(signs, breaks)) {
      keys.add(key);
      length = index + 1;
    }
    if (separator.length > LONGEST_SEPARATOR) break;
    between.add(separator);
  }
  return { keys, length };
}
