import fc from 'fast-check';
import { expect, it } from 'vitest';
import { type FileOwner, matchFiles } from './match-files.ts';

const owner = (id: string, code: number | null, ...names: string[]): FileOwner => ({ id, code, names });
const OWNERS = [
  owner('adeyemi', 471, 'Adeyemi Foundation', 'The Adeyemi Foundation Inc.'),
  owner('petrovic', 12, 'Ivana Petrović'),
  owner('benali', 209, 'Benali Family Trust'),
  owner('benali2', 210, 'Benali Family Trust II'),
  owner('soehne', null, 'Müller & Söhne GmbH'),
];
const match = (file: string) => matchFiles([file], OWNERS)[0];

it.each([
  ['LP-0471 capital account.pdf', 'adeyemi', 'code'],
  ['lp0012_2026-09-30.pdf', 'petrovic', 'code'],
  ['Investor 209, Q3 2026.pdf', 'benali', 'code'],
  ['2026 Q3 - ADEYEMI FOUNDATION.pdf', 'adeyemi', 'name'],
  ['capital_account_ivana_petrovic.PDF', 'petrovic', 'name'],
  ['Muller Sohne 2026.pdf', 'soehne', 'name'],
  ['Benali Family Trust 30.09.2026.pdf', 'benali', 'name'],
  ['Benali Family Trust II 30.09.2026.pdf', 'benali2', 'name'],
  ['0210_statement.pdf', 'benali2', 'number'],
])('matches %s', (file, ownerId, reason) => {
  expect(match(file)).toMatchObject({ ownerId, reason });
});

it.each([
  'statement.pdf',
  // A day and a month are no codes.
  'capital account 2026-09-12.pdf',
  'capital account 12.09.2026.pdf',
  'Benali.pdf',
  'LP-9999.pdf',
])('does not guess the owner of %s', (file) => {
  expect(match(file)).toMatchObject({ ownerId: null, reason: 'none' });
});

it('leaves the choice between equals to a person', () => {
  expect(match('LP-12 and LP-471.pdf')).toEqual({
    file: 'LP-12 and LP-471.pdf',
    ownerId: null,
    reason: 'several',
    others: ['petrovic', 'adeyemi'],
  });
  const twins = [owner('a', 1, 'Holm Capital'), owner('b', 2, 'Holm Capital')];
  expect(matchFiles(['Holm Capital.pdf'], twins)[0]).toMatchObject({ ownerId: null, others: ['a', 'b'] });
});

it('finds every owner whose name is the name of the file', () => {
  const word = fc.stringMatching(/^[a-z]{3,9}$/);
  const names = fc.uniqueArray(
    fc.array(word, { minLength: 2, maxLength: 3 }).map((words) => words.join(' ')),
    {
      minLength: 1,
      maxLength: 8,
    },
  );
  fc.assert(
    fc.property(names, (all) => {
      const owners = all.map((name, at) => owner(String(at), null, `${name} Ltd`));
      const found = matchFiles(
        all.map((name) => `${name.replaceAll(' ', '_')}.pdf`),
        owners,
      );
      for (const [at, one] of found.entries()) {
        if (one.ownerId === null) expect(one.others).toContain(String(at));
        else expect(one.ownerId).toBe(String(at));
      }
    }),
  );
});
