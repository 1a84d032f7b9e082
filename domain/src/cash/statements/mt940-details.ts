import { isValidIBAN } from 'ibantools';
import { accountNumberOf } from '../../entities/account-number.ts';
import { absolute, add, compare, type DecimalText, isNegative, subtract } from '../../money/decimal.ts';
import { isCurrencyCode } from '../../money/minor-units.ts';
import type { BankStatementLine } from '../bank-statement.ts';
import { chargesOrNull, exactAmount } from './statement-figures.ts';
import { oneLine, textOrNull } from './statement-text.ts';

/** What the field :86: says about a line, whatever form a bank gives it. */
export interface Details {
  counterpartyName: string | null;
  counterpartyAccount: string | null;
  remittance: string;
  endToEndId: string | null;
  charges: DecimalText | null;
  original: BankStatementLine['original'];
  /** Why a payment came back; null if it did not. */
  returned: string | null;
}

interface Booked {
  readonly amount: DecimalText;
  readonly currency: string;
  readonly where: string;
}

/** Texts by what they are, as a form of details has them. */
interface Parts {
  name?: string | undefined;
  account?: string | undefined;
  remittance: string;
  endToEndId?: string | undefined;
  returned?: string | undefined;
}

/**
 * @param lines of :86:
 * @param supplement of :61:, where SWIFT has the original amount and the charges
 */
export function readDetails(lines: readonly string[], supplement: string, booked: Booked): Details {
  const german = GERMAN.exec(lines[0]?.trimStart() ?? '');
  const whole = lines.join('').trimStart();
  const parts = german
    ? germanParts(whole.slice(german[1]?.length), german[1] ?? '', german[2] ?? '')
    : KEYED.test(whole)
      ? keyedParts(whole)
      : { remittance: unwrapped(lines) };
  const isAmounts = /\/(OCMT|CHGS)\//.test(supplement);
  const remittance = oneLine(parts.remittance) || (isAmounts ? '' : oneLine(supplement));
  // Banks that state the amounts in both places mean the same ones.
  const { original, charges } = readAmounts([supplement, whole], booked);
  const id = textOrNull(parts.endToEndId);
  return {
    counterpartyName: textOrNull(parts.name),
    counterpartyAccount: accountNumberOf(parts.account ?? '') || null,
    remittance,
    endToEndId: id !== null && /^NOT ?PROVIDED$|^NONREF$/i.test(id) ? null : id,
    charges,
    original,
    returned: parts.returned === undefined ? null : oneLine(parts.returned),
  };
}

/** A line that is full goes on in the next one; after a shorter one a word ends. */
const FULL_LINE = 65;
const unwrapped = (lines: readonly string[]): string =>
  lines.map((line) => (line.length >= FULL_LINE ? line : `${line} `)).join('');

/** Words within the remittance of a German statement: "EREF+…SVWZ+…". */
const SEPA_WORD = /(EREF|KREF|MREF|CRED|DEBT|COAM|OAMT|SVWZ|ABWA|ABWE|IBAN|BIC|PURP|RREF|RTRN)\+/g;

/** Business transaction codes of payments that came back. */
const GERMAN_RETURNS = new Set(['108', '109', '159']);

/** The code of the transaction, which some banks leave out, and the sign between the parts. */
const GERMAN = /^(\d{3})?([?<>~^!|@#])(?=\d\d)/;

/** "166?00GUTSCHRIFT?20EREF+…?30BIC?31IBAN?32NAME": numbered parts after the code of the transaction. */
function germanParts(text: string, code: string, separator: string): Parts {
  const parts = new Map<number, string>();
  for (const part of text.split(separator)) {
    const number = /^\d\d/.exec(part)?.[0];
    if (number !== undefined) parts.set(Number(number), `${parts.get(Number(number)) ?? ''}${part.slice(2)}`);
  }
  const within = [...parts].filter(([number]) => (number >= 20 && number <= 29) || (number >= 60 && number <= 63));
  const remittance = within.map(([, part]) => (part.length >= FULL_PART ? part : `${part}\n`)).join('');
  const words = wordsOf(remittance, SEPA_WORD);
  // A reference ends with a part that is not full; what follows without a word of its own is remittance.
  const [endToEndId, ...rest] = words.get('EREF')?.split('\n') ?? [];
  const said = words.get('SVWZ') ?? words.get('');
  // Some banks write the account where others continue the name.
  const more = parts.get(33) ?? '';
  const account = isValidIBAN(accountNumberOf(more)) ? more : undefined;
  return {
    name: `${parts.get(32) ?? ''}${account === undefined ? more : ''}`,
    account: parts.get(31) || account || words.get('IBAN'),
    remittance: words.size === 0 ? remittance : [said, ...rest].filter(Boolean).join(' '),
    endToEndId,
    returned: words.get('RTRN') ?? (GERMAN_RETURNS.has(code) ? (parts.get(0) ?? 'Returned payment') : undefined),
  };
}

/** Characters of a numbered part. */
const FULL_PART = 27;

const KEYS = [
  ...['ACCW', 'ADDR', 'BENM', 'BIC', 'BUSP', 'CHGS', 'CNTP', 'CSID', 'EREF', 'EXCH', 'IBAN', 'ID', 'ISDT', 'MARF'],
  ...['NAME', 'NRTX', 'OCMT', 'ORDP', 'PREF', 'PURP', 'REMI', 'RTRN', 'SVCL', 'TRCD', 'TRTP', 'ULTB', 'ULTC', 'ULTD'],
].join('|');
const KEYED = new RegExp(`^/?(?:${KEYS})/|/(?:REMI|EREF|ORDP|BENM|CNTP|NAME|IBAN)/`);
const KEY = new RegExp(`(?:^|/)(${KEYS})/`, 'g');

/** "/TRTP/SEPA/IBAN/…/NAME/…/REMI/…/EREF/…": words between slashes. */
function keyedParts(text: string): Parts {
  const words = wordsOf(text, KEY);
  const [account, , name] = (words.get('CNTP') ?? '').split('/');
  const party = words.get('ORDP') || words.get('BENM');
  const remittance = words.get('REMI')?.replace(/^(USTD|STRD(\/CUR|\/ISO)?)?\/+/, '');
  return {
    name: words.get('NAME') || name || party?.replace(/^\/+/, ''),
    account: words.get('IBAN') || account || words.get('ACCW')?.split(',')[0],
    remittance: trimSlashes(remittance ?? words.get('') ?? ''),
    endToEndId: trimSlashes(words.get('EREF') ?? ''),
    returned: words.has('RTRN') ? trimSlashes(words.get('RTRN') ?? '') || 'Returned payment' : undefined,
  };
}

/** Without slashes and spaces at its ends, in a time that grows as the text does. */
function trimSlashes(text: string): string {
  const isOutside = (sign: string | undefined): boolean => sign !== undefined && /[/\s]/.test(sign);
  let [start, end] = [0, text.length];
  while (start < end && isOutside(text[start])) start += 1;
  while (end > start && isOutside(text[end - 1])) end -= 1;
  return text.slice(start, end);
}

/** What follows each word, up to the next; under '' what comes before the first. */
function wordsOf(text: string, word: RegExp): Map<string, string> {
  const found = [...text.matchAll(word)];
  const words = new Map<string, string>();
  const before = text.slice(0, found[0]?.index ?? text.length);
  if (found.length > 0 && before.trim() !== '') words.set('', before.trim());
  for (const [index, match] of found.entries()) {
    const value = text.slice(match.index + match[0].length, found[index + 1]?.index ?? text.length);
    const name = match[1] ?? '';
    if (!words.has(name)) words.set(name, value.trim());
  }
  return words;
}

const ORIGINAL = /\/OCMT\/ ?([A-Z]{3}) ?(\d+,\d*)|OAMT\+ ?([A-Z]{3})? ?(\d+,\d*)/;
const CHARGE = /\/CHGS\/ ?(OUR|SHA|BEN)? ?([A-Z]{3})? ?(\d+,\d*)|COAM\+ ?()([A-Z]{3})? ?(\d+,\d*)/g;

/**
 * What was instructed and what banks took of it, as texts of SWIFT state it: "/OCMT/USD80000,/CHGS/USD15,".
 * @param texts the first that states one of the two counts for it
 */
function readAmounts(texts: readonly string[], booked: Booked): Pick<Details, 'original' | 'charges'> {
  const stated = texts.find((text) => ORIGINAL.test(text)) ?? '';
  const original = originalOf(stated, booked);
  const charged = texts.find((text) => text.search(CHARGE) >= 0) ?? '';
  // All that was instructed arrived: the charges are booked apart.
  const isWhole = original === null && stated !== '' && !isNegative(booked.amount);
  return { original, charges: isWhole ? null : chargesOf(charged, original, booked) };
}

const written = (amount: string): string => amount.replace(',', '.').replace(/\.$/, '');

function originalOf(text: string, { amount, currency, where }: Booked): BankStatementLine['original'] {
  const match = ORIGINAL.exec(text);
  const code = match?.[1] ?? match?.[3] ?? currency;
  const digits = match?.[2] ?? match?.[4];
  if (digits === undefined || !isCurrencyCode(code)) return null;
  const original = exactAmount(written(digits), code, where);
  return code === currency && compare(original, absolute(amount)) === 0 ? null : { amount: original, currency: code };
}

/** Charges that are reported; if none are, what is lacking of the original amount in the same currency. */
function chargesOf(
  text: string,
  original: BankStatementLine['original'],
  { amount, currency, where }: Booked,
): DecimalText | null {
  const reported = [...text.matchAll(CHARGE)].filter(([, who, code, , , code2]) => {
    // What the sender pays for is not taken from what arrives.
    const isTaken = who !== 'OUR' || isNegative(amount);
    return isTaken && (code ?? code2 ?? currency) === currency;
  });
  const total = reported.reduce<DecimalText>((sum, match) => add(sum, written(match[3] ?? match[6] ?? '0')), '0');
  const isOurs = /\/CHGS\/ ?OUR/.test(text);
  const lacking =
    reported.length === 0 && !isOurs && original?.currency === currency && !isNegative(amount)
      ? subtract(original.amount, amount)
      : total;
  const charges = chargesOrNull(lacking);
  return charges && exactAmount(charges, currency, where);
}
