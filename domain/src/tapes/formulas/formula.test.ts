import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { mappingSchema } from '../mapping.schema.ts';
import { planMapping } from '../mapping-plan.ts';
import { type RuleInput, rulesSchema } from '../rule.schema.ts';
import { serializationSchema } from '../serialization.schema.ts';
import { formulaToSentence } from './describe-formula.ts';
import { columnsOfFormula, FORMULA_LIMITS, MAX_MAPPING_NODES } from './formula.ts';
import { FormulaError } from './formula-tokens.ts';
import { parseFormula } from './parse-formula.ts';

const problemOf = (formula: string): string | null => {
  try {
    parseFormula(formula);
    return null;
  } catch (error) {
    if (error instanceof FormulaError) return error.message;
    throw error;
  }
};

describe('a formula', () => {
  it.each([
    ['balance / appraised * 100', 'Balance divided by appraised, times 100'],
    ['cutOff - [Last Paid] in days', 'The days from Last Paid to the cut-off date'],
    ['(cutOff - lastPaid in months) / 12', '(the months from lastPaid to the cut-off date) divided by 12'],
    ['a - b + c', 'A minus b plus c'],
    ['a - (b + c)', 'A minus (b plus c)'],
    ['a + b * c', 'A plus (b times c)'],
    ['a * b + c', 'A times b plus c'],
    ['(a + b) * c', '(a plus b) times c'],
    ['-a * b', '(minus a) times b'],
    ['min(a, b, 3)', 'The smallest of a, b and 3'],
    ['max(a, min(b, c))', 'The largest of a and (the smallest of b and c)'],
    ['round(abs(a), 2)', '(a without its sign) rounded to 2 decimal places'],
    ['round(a)', 'A rounded to a whole number'],
    ['value * .5', 'The value times 0.5'],
    ['"Net ""book"" value" + [a ]] b]', 'Net "book" value plus a ] b'],
    ['sums.outstandingSum+1', 'Sums.outstandingSum plus 1'],
    ['Größe_2 * 2', 'Größe_2 times 2'],
  ])('%s reads: %s', (formula, sentence) => {
    expect(formulaToSentence(parseFormula(formula))).toBe(sentence);
  });

  it('names each of its columns once', () => {
    const formula = parseFormula('min(a, [b c]) + a - value in days'.replace(' in days', ''));
    expect(columnsOfFormula(formula)).toEqual(['a', 'b c']);
  });

  it.each([
    ['', 'needs a number or a column at its end'],
    ['a +', 'needs a number or a column at its end'],
    ['a + * b', 'needs a number or a column before “*” (character 5)'],
    ['a b', 'needs an operation before “b” (character 3)'],
    ['(a', 'needs a “)” at its end'],
    ['a)', 'needs an operation before “)” (character 2)'],
    ['min(a)', 'needs a “,” before “)” (character 6)'],
    ['min(a; b)', 'cannot contain “;” (character 6)'],
    ['sum(a, b)', 'has no function “sum”; use min, max, round or abs'],
    ['MIN(a, b)', 'has no function “MIN”; use min, max, round or abs'],
    ['round(a, 9)', 'can round to 0 to 8 decimal places, as in round(balance, 2)'],
    ['round(a, b)', 'can round to 0 to 8 decimal places, as in round(balance, 2)'],
    ['[Last Paid', 'has a bracket or quote at character 1 that is not closed'],
    ['a + [ ]', 'names no column between the brackets at character 5'],
    ['50%', 'cannot contain “%” (character 3); divide by 100 instead'],
    ['a × 😀', 'cannot contain “×” (character 3)'],
    ['1234567890123456', 'has a number of more than 15 digits at character 1'],
    ['a in days', 'can have “in days” only after the difference of two dates'],
    ['a - b in hours', 'needs days, weeks, months, quarters or years after “in”'],
    ['a - b in', 'needs days, weeks, months, quarters or years after “in”'],
  ])('that is written %j is refused: %s', (formula, problem) => {
    expect(problemOf(formula)).toBe(problem);
  });

  it('is limited in length, depth and parts', () => {
    const { characters, depth, nodes } = FORMULA_LIMITS;
    const long = `a${' '.repeat(characters - 1)}`;
    expect([problemOf(long), problemOf(`${long} `)]).toEqual([null, 'is longer than 500 characters']);
    const nested = (levels: number) => `${'('.repeat(levels)}1${')'.repeat(levels)}`;
    const tooDeep = 'nests brackets and functions deeper than 16';
    expect([problemOf(nested(depth)), problemOf(nested(depth + 1))]).toEqual([null, tooDeep]);
    expect([problemOf(`${'-'.repeat(depth)}1`), problemOf(`${'-'.repeat(depth + 1)}1`)]).toEqual([null, tooDeep]);
    // So many numbers and one sign less between them.
    const sum = (numbers: number) => Array.from({ length: numbers }, () => '1').join('+');
    const tooMany = 'has more than 200 numbers, columns and operations';
    expect([problemOf(sum(nodes / 2)), problemOf(sum(nodes / 2 + 1))]).toEqual([null, tooMany]);
  });

  it('is read or refused in bounded time, whatever it is', () => {
    const piece = fc.constantFrom(
      'a',
      '1',
      '(',
      ')',
      '-',
      '+',
      '/',
      ',',
      'min(',
      'in days',
      '[',
      ']',
      '"',
      ' ',
      '😀',
      '\u0000',
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 300 }), (pieces) => {
        const problem = problemOf(pieces.join(''));
        expect(problem === null || problem.length > 0).toBe(true);
      }),
      { numRuns: 3_000 },
    );
  });

  it('that cannot be read is an issue of its step', () => {
    const parsed = serializationSchema.safeParse({ type: 'calculate', formula: 'a +' });
    expect(parsed.error?.issues).toMatchObject([
      { path: ['formula'], message: 'The formula needs a number or a column at its end' },
    ]);
  });
});

it('that cannot be read leaves the other issues of its mapping', () => {
  const rules = [{ targetCol: 'monthsOnBook', serializations: [{ type: 'calculate', formula: 'a +' }] }];
  const mapping = { rules, loanTapeSheetName: 'Tape', primaryCurrency: 'USD', extractedOriginColsFromLoanTape: [] };
  const messages = mappingSchema.safeParse(mapping).error?.issues.map(({ message }) => message);
  expect(messages).toContain('The formula needs a number or a column at its end');
  expect(messages).toContain('Map assetId: every mapping needs a rule for it');
});

describe('what a formula calculates with', () => {
  const ID: RuleInput = {
    originCol: 'id',
    targetCol: 'assetId',
    checks: ['Mandatory'],
    serializations: [{ type: 'text' }],
  };
  const PAID: RuleInput = {
    originCol: 'Paid',
    targetCol: 'lastPaymentDate',
    serializations: [{ type: 'date', format: 'ISO' }],
  };
  const GRADE: RuleInput = { originCol: 'Late', targetCol: 'isDelinquent', serializations: [{ type: 'boolean' }] };
  const planOf = (formula: string, targetCol = 'monthsOnBook') =>
    planMapping({
      rules: rulesSchema.parse([ID, PAID, GRADE, { targetCol, serializations: [{ type: 'calculate', formula }] }]),
    });
  const issuesOf = (formula: string, targetCol?: string) =>
    planOf(formula, targetCol).issues.map(({ message }) => message);

  it('can be numbers, and dates whose difference has a unit', () => {
    expect(issuesOf('a / [b c] * 100')).toEqual([]);
    expect(issuesOf('cutOff - lastPaymentDate in days')).toEqual([]);
    expect(issuesOf('max([Paid], cutOff)', 'maturityDate')).toEqual([]);
    expect(planOf('cutOff - [Paid] in days').headers).toEqual(['id', 'Paid', 'Late']);
  });

  it.each([
    [
      'lastPaymentDate + 1',
      '“lastPaymentDate” is a date; write the unit after the difference of two dates, for example “in days”',
    ],
    [
      'cutOff - lastPaymentDate',
      '“cutOff” is a date; write the unit after the difference of two dates, for example “in days”',
    ],
    ['cutOff - 5 in days', '5 is a number, not a date'],
    ['cutOff - isDelinquent in days', '“isDelinquent” is true or false, not a date'],
    ['isDelinquent * 2', '“isDelinquent” is true or false, not a number'],
    ['cutOff - (a + b) in days', 'a date is needed, not a number'],
    ['value * 2', '“value” is the result of the step before; there is none'],
    ['monthsOnBook + 1', '"monthsOnBook" is this rule\'s own target'],
  ])('%s: %s', (formula, problem) => {
    expect(issuesOf(formula)).toEqual([`Rule 4 (computed to monthsOnBook), step 1 (calculate): ${problem}`]);
  });

  it('must fit the field', () => {
    expect(issuesOf('a * 2', 'maturityDate')).toEqual([
      'Rule 4 (computed to maturityDate): its last step (calculate) produces a number, which dates.maturityDate cannot hold; end with a date step',
    ]);
  });

  it('is limited in all formulas of a mapping together', () => {
    const sum = Array.from({ length: 50 }, () => '1').join('+');
    const mapping = (steps: number) => {
      const serializations = Array.from({ length: steps }, () => ({ type: 'calculate' as const, formula: `${sum}+1` }));
      const rules = Array.from(
        { length: Math.ceil(steps / 49) },
        (_, index): RuleInput => ({
          targetCol: `total${index}`,
          serializations: serializations.slice(index * 49, (index + 1) * 49),
        }),
      );
      return planMapping({ rules: rulesSchema.parse([ID, ...rules]) }).issues.map(({ message }) => message);
    };
    // 51 numbers and 50 operations.
    expect(mapping(Math.floor(MAX_MAPPING_NODES / 101))).toEqual([]);
    expect(mapping(Math.ceil(MAX_MAPPING_NODES / 101))).toEqual([
      'The formulas of a mapping have at most 2,000 numbers, columns and operations together',
    ]);
  });
});
