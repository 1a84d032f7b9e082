import { csvText } from '../../files/csv-text.ts';
import type { PaymentOrder } from './payment-order.ts';

const HEADS = [
  'Reference',
  'Payee',
  'IBAN',
  'Account number',
  'SWIFT code',
  'Routing number',
  'Bank',
  'Country',
  'Amount',
  'Currency',
  'Payment date',
  'From account',
  'Purpose',
] as const;

/** The payments as a table, for a bank's own upload. */
export const writePaymentTable = ({ payer, payments, currency, executeOn }: PaymentOrder): string =>
  csvText(
    HEADS,
    payments.map(({ payee, reference, amount, purpose }) => [
      reference,
      payee.name,
      payee.iban,
      payee.accountNumber,
      payee.bic,
      payee.routingNumber,
      payee.bankName,
      payee.country,
      amount,
      currency,
      executeOn,
      payer.iban ?? payer.accountNumber,
      purpose,
    ]),
  );
