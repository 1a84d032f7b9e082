import { isValidIBAN } from 'ibantools';
import { isCurrencyCode } from '../../money/minor-units.ts';

/** The IBAN in what a bank writes as an account, "COBADEFF/DE89…" or "NL91…EUR"; what it wrote if there is none. */
export function accountWithoutCurrency(written: string): string {
  const withoutCurrency = (text: string): string =>
    isCurrencyCode(text.slice(-3)) && isValidIBAN(text.slice(0, -3)) ? text.slice(0, -3) : text;
  const [last = ''] = written.split('/').slice(-1);
  const iban = withoutCurrency(last);
  return isValidIBAN(iban) ? iban : written;
}
