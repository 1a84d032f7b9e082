import { expect, it } from 'vitest';
import { type ReportedTape, reportingScore } from './reporting-score.ts';

const TOTAL = { currency: 'USD', opening: '1000', changes: [], exchange: '0', closing: '1000', leftOut: [] };
const TAPE: ReportedTape = {
  cutOffDate: '2026-10-31',
  uploadedOn: '2026-11-15',
  rows: { assets: 100, errored: 0 },
  restatements: 0,
  since: { total: TOTAL, matched: 100, changed: 0 },
};
const scoreOf = (more: Partial<ReportedTape>) => reportingScore({ ...TAPE, ...more });
const since = (more: object) => ({ since: { ...TAPE.since!, ...more } });

it('is 100 for a tape on its due date, without errors, that explains everything', () => {
  expect(scoreOf({}).total).toBe('100');
});

it.each([
  ['one day late', { uploadedOn: '2026-11-16' }, 'lateness', '1', '18'],
  ['ten days late', { uploadedOn: '2026-11-25' }, 'lateness', '10', '0'],
  ['eleven days late', { uploadedOn: '2026-11-26' }, 'lateness', '11', '0'],
  ['early', { uploadedOn: '2026-11-01' }, 'lateness', '0', '20'],
  ['published again once', { restatements: 1 }, 'restatements', '1', '10'],
  ['published again twice', { restatements: 2 }, 'restatements', '2', '0'],
  ['1 % errors', { rows: { assets: 99, errored: 1 } }, 'errors', '0.01', '16'],
  ['5 % errors', { rows: { assets: 95, errored: 5 } }, 'errors', '0.05', '0'],
  ['0.5 % changed', since({ changed: 1, matched: 200 }), 'changes', '0.005', '10'],
] as const)('%s', (_, more, part, value, points) => {
  const score = scoreOf(more);
  expect([score.values[part], score.points[part]]).toEqual([value, points]);
  expect(score.total).toBe(String(80 + Number(points)));
});

it('takes lines that explain nothing as unexplained, without their sign, and no others', () => {
  const changes = [
    { line: 'originated', change: '500' },
    { line: 'collected', change: '-500' },
    { line: 'left', change: '-4' },
    { line: 'withoutId', change: '3' },
  ] as const;
  const { values, points } = scoreOf(since({ total: { ...TOTAL, changes } }));
  expect([values.unexplained, points.unexplained]).toEqual(['0.007', '13']);
});

it.each([
  ['without a tape before', { since: null }],
  ['with a currency that has no rate', since({ total: { ...TOTAL, leftOut: ['JPY'] } })],
  ['if the pool was empty', since({ total: { ...TOTAL, opening: '0' } })],
  ['if no asset is on both tapes', since({ matched: 0 })],
])('is unknown %s, and its known parts are not', (_, more) => {
  const score = scoreOf(more);
  expect(score.total).toBeNull();
  expect(score.points.errors).toBe('20');
});
