import { describe, expect, it } from 'vitest';
import { poolSpeeds } from './paydown.ts';
import { monthlyRate, monthsApart, yearlyRate } from './speeds.ts';
import { type PaydownLoan, paydownCells, scheduledPrincipal } from './testing/plain-paydown.ts';

const USD = { currency: 'USD', rates: { EUR: '0.8' } };
let row = 1;
const usd = (sum: string) => ({ sum, currency: 'USD' });
const loan = (assetId: string | null, principal: string, change: Partial<PaydownLoan> = {}): PaydownLoan => {
  row += 1;
  return {
    assetId,
    row,
    assetStatus: 'current',
    defaultDate: null,
    chargeOffDate: null,
    lastPaymentDate: null,
    maturityDate: '2028-01-15',
    daysPastDue: 0,
    principal: usd(principal),
    payment: usd('332.14'),
    ratePoints: '12',
    remainingDays: null,
    nextPaymentDate: null,
    ...change,
  };
};

describe('scheduled principal', () => {
  const terms = { principal: '10000.00', currency: 'USD', payment: '332.14', ratePoints: '12', remainingDays: null };

  it('is the instalment less the month of interest, rounded half up to the cent', () => {
    expect(scheduledPrincipal(terms, 1)).toBe('232.1400');
    // Month 2: interest on 9,767.86 is 97.6786, that is 97.68.
    expect(scheduledPrincipal(terms, 2)).toBe('466.6000');
    expect(scheduledPrincipal({ ...terms, principal: '1.50', payment: '1', ratePoints: '4' }, 1)).toBe('0.9900');
  });

  it('is zero if no instalment falls due or it does not cover the interest, and never exceeds the balance', () => {
    expect(scheduledPrincipal(terms, 0)).toBe('0.0000');
    expect(scheduledPrincipal({ ...terms, payment: '90' }, 1)).toBe('0.0000');
    expect(scheduledPrincipal({ ...terms, principal: '100.00' }, 1)).toBe('100.0000');
  });

  it('uses the level instalment of the remaining term if the tape has none', () => {
    const unnamed = { ...terms, payment: null, remainingDays: 36 * 30.4375 };
    // 332.1431 is rounded up to 332.15.
    expect(scheduledPrincipal(unnamed, 1)).toBe('232.1500');
    expect(scheduledPrincipal({ ...unnamed, ratePoints: '0', principal: '3600', remainingDays: 365.25 }, 1)).toBe(
      '300.0000',
    );
  });

  it('follows the minor unit of the currency', () => {
    expect(scheduledPrincipal({ ...terms, principal: '10050', currency: 'JPY', payment: '332' }, 1)).toBe('231.0000');
    expect(scheduledPrincipal({ ...terms, currency: 'KWD', principal: '10000.123', payment: '332.14' }, 1)).toBe(
      '232.1390',
    );
  });

  it('is unknown without a rate, or without both instalment and term', () => {
    expect(scheduledPrincipal({ ...terms, ratePoints: null }, 1)).toBeNull();
    expect(scheduledPrincipal({ ...terms, payment: null }, 1)).toBeNull();
    expect(scheduledPrincipal({ ...terms, payment: null, remainingDays: 10 }, 1)).toBeNull();
  });
});

describe('yearly rates', () => {
  it('are CPR = 1 - (1 - SMM)^12', () => {
    expect(yearlyRate('0.01')).toBe('0.11361513');
    expect(yearlyRate('0.00514301')).toBe('0.05999997');
    // 100 PSA at 30 months: 6 % a year.
    expect(monthlyRate('0.06', 12)).toBe('0.00514301');
    expect([yearlyRate('0'), yearlyRate('1')]).toEqual(['0.00000000', '1.00000000']);
  });

  it('are derived from the monthly rate over a longer period', () => {
    expect(monthlyRate('0.01', 1)).toBe('0.01000000');
    expect(monthlyRate('0.19', 2)).toBe('0.10000000');
    expect(monthlyRate('1', 3)).toBe('1.00000000');
  });

  it.each([
    [14, null],
    [15, 1],
    [28, 1],
    [31, 1],
    [59, 2],
    [92, 3],
    [365, 12],
    [396, null],
  ])('%i days are %s months', (days, months) => expect(monthsApart(days)).toBe(months));
});

describe('paydown between two tapes', () => {
  const cells = (before: PaydownLoan[], after: PaydownLoan[], months = 1) =>
    paydownCells({ cutOffDate: '2026-09-30', loans: before }, { cutOffDate: '2026-10-31', loans: after }, months);
  const speeds = (before: PaydownLoan[], after: PaydownLoan[]) => poolSpeeds(cells(before, after), 1, USD);

  it('gives the worked case: 30,000 of principal, 464.28 scheduled, 9,867.86 prepaid, 10,000 defaulted', () => {
    const found = speeds(
      [loan('A', '10000.00'), loan('B', '10000.00'), loan('C', '10000.00'), loan('D', '5000.00')],
      [
        // Pays its instalment and 100 more.
        loan('A', '9667.86'),
        loan('B', '0', { assetStatus: 'prePaid', lastPaymentDate: '2026-10-12' }),
        loan('C', '10000.00', { assetStatus: 'chargedOff' }),
      ],
    );
    expect(found).toMatchObject({
      loans: 3,
      opening: '30000',
      scheduled: '464.28',
      prepaid: '9867.86',
      defaulted: '10000',
      vanished: { loans: 1, opening: '5000' },
      smm: '0.33409919',
      mdr: '0.33333333',
      cdr: '0.99229265',
    });
    expect(Number(found.cprWithVanished)).toBeGreaterThan(Number(found.cpr));
  });

  it('treats payments of a past-due loan beyond its schedule as catching up', () => {
    const late = loan('A', '10000.00', { daysPastDue: 31 });
    expect(speeds([late], [loan('A', '9000.00')]).prepaid).toBe('0');
    expect(speeds([{ ...late, daysPastDue: null }], [loan('A', '9000.00')]).prepaid).toBe('0');
    expect(speeds([{ ...late, daysPastDue: 0 }], [loan('A', '9000.00')]).prepaid).toBe('767.86');
  });

  it('does not count a loan as prepaid that was repaid as agreed, pays less, or grows', () => {
    const repaid = loan('A', '0', { assetStatus: 'paid', lastPaymentDate: '2026-10-15', maturityDate: '2026-10-15' });
    expect(speeds([loan('A', '330.00')], [repaid])).toMatchObject({
      scheduled: '330',
      prepaid: '0',
      smm: null,
      cpr: null,
    });
    expect(speeds([loan('A', '10000.00')], [loan('A', '9900.00')]).prepaid).toBe('0');
    expect(speeds([loan('A', '10000.00')], [loan('A', '10500.00')]).prepaid).toBe('0');
  });

  it('has nothing due before the next payment date', () => {
    const before = loan('A', '10000.00', { nextPaymentDate: '2026-11-01' });
    expect(speeds([before], [loan('A', '10000.00')]).scheduled).toBe('0');
    expect(speeds([{ ...before, nextPaymentDate: '2026-10-31' }], [loan('A', '9767.86')]).scheduled).toBe('232.14');
  });

  it('does not follow loans that were closed, in default, without principal or without an id, or new ones', () => {
    const found = speeds(
      [
        loan('A', '100', { assetStatus: 'default' }),
        loan('B', '100', { assetStatus: 'paid' }),
        loan('C', '0'),
        loan('D', '100', { principal: null }),
        loan(null, '100'),
      ],
      [loan('A', '100'), loan('E', '500')],
    );
    expect(found).toMatchObject({ loans: 0, opening: '0', smm: null, cpr: null, mdr: null, cdr: null });
  });

  it('reports the number of loans with an unknown schedule, whose payments do not count as prepaid', () => {
    const found = speeds([loan('A', '1000', { ratePoints: null })], [loan('A', '100')]);
    expect(found).toMatchObject({ withoutSchedule: 1, scheduled: '0', prepaid: '0' });
    const gone = speeds([loan('A', '1000', { ratePoints: null })], [loan('A', '0', { assetStatus: 'prePaid' })]);
    expect(gone).toMatchObject({ withoutSchedule: 1, prepaid: '1000' });
  });

  it('converts other currencies, and does not mistake a balance in another currency for a payment', () => {
    const euro = (sum: string) => ({
      principal: { sum, currency: 'EUR' },
      payment: { sum: '332.14', currency: 'EUR' },
    });
    const found = speeds([loan('A', '0', euro('10000.00'))], [loan('A', '0', euro('9667.86'))]);
    expect(found).toMatchObject({ opening: '12500', scheduled: '290.175', prepaid: '125' });
    expect(speeds([loan('A', '0', euro('10000.00'))], [loan('A', '1.00')]).prepaid).toBe('0');
  });
});
