import { EMPTY_LEDGER, type NoteLedger } from '@tapeline/domain/facilities/ledger.ts';
import { expect, it } from 'vitest';
import { positionOf } from './calculate.ts';

const usd = (sum: string) => ({ sum, currency: 'USD' });
const eur = (sum: string) => ({ sum, currency: 'EUR' });
const tranche = (sequence: number, sum: string, sequenceActivated = false) => ({
  sequence,
  sequenceActivated,
  terms: { commitments: [{ amount: eur('7') }, { amount: usd(sum) }] },
});
const TAPE = { cutOffDate: '2026-10-31', exchangeRates: { EUR: '0.8' } };
const position = (note: object, ledger: NoteLedger = EMPTY_LEDGER) =>
  positionOf(
    { mainCurrency: 'USD', maxCommitments: [usd('400'), eur('9')], tranches: [], ...note } as never,
    ledger,
    TAPE,
  );

it('adds the commitments up to the active tranche by currency, the balance unknown', () =>
  expect(position({ tranches: [tranche(3, '1000'), tranche(1, '150'), tranche(2, '250', true)] })).toEqual({
    currency: 'USD',
    commitments: [eur('14'), usd('400')],
    balances: null,
    limits: [eur('14.00'), usd('400.00')],
  }));
it('takes the commitments of the note where no tranche is active', () =>
  expect(position({ terms: tranche(1, '80').terms, tranches: [tranche(1, '150')] })).toMatchObject({
    commitments: [eur('7'), usd('80')],
  }));
it('takes the most that may be committed where nothing else is in force', () =>
  expect(position({ tranches: [tranche(1, '150')] })).toMatchObject({ commitments: [usd('400'), eur('9')] }));
it('keeps commitments in currencies other than the main one', () =>
  expect(position({ mainCurrency: 'GBP', tranches: [tranche(1, '250', true)] })).toMatchObject({
    currency: 'GBP',
    commitments: [eur('7'), usd('250')],
  }));
it('has no position where no currency is known', () =>
  expect(position({ mainCurrency: undefined, maxCommitments: [] })).toBeUndefined());

it('counts what was drawn and repaid up to the cut-off date of the tape', () => {
  const drawn = (dueDate: string, sum: string) => ({
    dueDate,
    draws: [{ type: 'Regular' as const, amounts: [usd(sum)] }],
  });
  const repaid = (cutOffDate: string, sum: string) => ({
    cutOffDate,
    repayments: [{ kind: 'principal' as const, amount: usd(sum) }],
  });
  const ledger = {
    isRecorded: true,
    draws: [drawn('2026-10-31', '100'), drawn('2026-11-01', '7')],
    requests: [],
    repayments: [repaid('2026-10-31', '30'), repaid('2026-11-01', '9')],
  };
  expect(position({ tranches: [tranche(1, '250', true)] }, ledger)).toMatchObject({ balances: [usd('70')] });
});
