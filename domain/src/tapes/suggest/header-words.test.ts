import { describe, expect, test } from 'vitest';
import { nameScores, otherScore, wordsOf } from './header-words.ts';
import { TARGET_NAMES } from './target-synonyms.ts';

const likeliest = (header: string): string | null => {
  const best = nameScores(header).sort((a, b) => b.score - a.score)[0]!;
  return best.score >= 0.6 && best.score > otherScore(header) ? best.names.path : null;
};

describe('headers in words', () => {
  test.each([
    ['CURR_BAL', ['current', 'balance']],
    ['origAmt', ['original', 'amount']],
    ['UPBAmount (USD)', ['upb', 'amount']],
    ['terminmonths', ['term', 'months']],
    ['grossapproval', ['gross', 'approval']],
    ['Deal #', ['deal', 'number']],
    ['Prin. Bal. O/S', ['principal', 'balance', 'outstanding']],
    ['Days PD', ['days', 'past', 'due']],
    ['Outstanding ($mm)', ['outstanding']],
    ['Interest Rate (% p.a.)', ['interest', 'rate']],
    ['Vertragsnr.', ['contract', 'number']],
    ['Währung', ['currency']],
    ['Fälligkeit', ['maturity', 'date']],
    ['BALANCE_TZS', ['balance']],
    ['loan__Interest_Rate__c', ['loan', 'interest', 'rate']],
  ])('%s is spelt out', (header, words) => expect(wordsOf(header)).toEqual(words));

  test('only the first words of a sentence, and no word of hundreds of letters, are examined', () => {
    expect(wordsOf('loan amount '.repeat(80))).toHaveLength(25);
    expect(wordsOf('darlehen'.repeat(12), 'de')).toHaveLength(12);
    expect(wordsOf('darlehen'.repeat(13), 'de')).toEqual(['darlehen'.repeat(13)]);
  });

  test.each(['stereophonic', 'installments', 'understanding'])('%s is not taken to pieces', (word) =>
    expect(wordsOf(word)).toEqual([word]),
  );

  test.each([
    ['CURR_UPB', 'sums.outstandingSum'],
    ['ORIG_RT', 'interestRate'],
    ['MATR_DT', 'dates.maturityDate'],
    ['CSCORE_B', 'creditScores.origination'],
    ['Current Loan Delinquency Status', 'assetStatus'],
    ['Original Loan-to-Value (LTV)', 'originalLtv'],
    ['Estimated Loan-to-Value (ELTV)', 'currentLtv'],
    ['approvaldate', 'dateFinanced'],
    ['BorrName', 'borrowerId'],
    ['Agreement No', 'assetId'],
    ['Merchant (DBA)', 'borrowerId'],
    ['Daily Pmt', 'sums.scheduledPayment'],
    ['All-in Rate (bps)', 'interestRate'],
    ['Restschuld', 'sums.outstandingSum'],
  ])('%s is %s', (header, path) => expect(likeliest(header)).toBe(path));

  test.each([
    'Factor Rate',
    'Default Rate',
    'Spread (bps)',
    'Original Combined Loan-to-Value (CLTV)',
    'Due Date of Last Paid Installment (DDLPI)',
    'Zero Balance Effective Date',
    'Pmts Past Due',
    'Months in Arrears',
    'GrossChargeOffAmount',
    'BankState',
    'Current',
    '31-60',
  ])('%s is no field', (header) => expect(likeliest(header)).toBeNull());
});

describe('vague names', () => {
  const wordSet = (name: string): string => [...new Set(wordsOf(name))].sort().join(' ');

  test('are not also clear names of the field', () => {
    expect(TARGET_NAMES.flatMap(({ vague }) => vague).length).toBeGreaterThan(500);
    const both = TARGET_NAMES.flatMap(({ path, names, vague }) => {
      const clear = new Set(names.map(wordSet));
      return vague.filter((name) => clear.has(wordSet(name))).map((name) => [path, name]);
    });
    expect(both).toEqual([]);
  });

  test.each([
    ['maturity date', 'dates.maturityDate', false],
    ['due date final', 'dates.maturityDate', false],
    ['end date', 'dates.maturityDate', true],
    ['customer id', 'borrowerId', false],
    ['client id', 'borrowerId', true],
  ])('%s says which field it is for sure, or not', (header, path, isVague) => {
    const found = nameScores(header).find(({ names }) => names.path === path);
    expect(found?.isVague).toBe(isVague);
  });
});
