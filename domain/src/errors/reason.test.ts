import { expect, test } from 'vitest';
import { z } from 'zod';
import { notNegativeSchema } from '../money/amount.schema.ts';
import { issuesOf } from './issues.ts';
import { because, type Reason, reason, reasonOfIssue, sentenceOf, textOf } from './reason.ts';
import { atPaths, Refusal, refuseIssues, tooSoon } from './refusal.ts';
import { continuesName } from './required.ts';
import { reworded } from './testing/reword.ts';

test.each<[Reason, string]>([
  [reason('other', { text: 'is wrong' }), 'is wrong'],
  [reason('required'), 'is required'],
  [reason('atLeastZero'), 'must be at least 0'],
  [reason('aboveZero'), 'must be above 0'],
  [reason('fundCurrency', { currency: 'USD' }), 'must be in USD, the currency of the fund'],
  [reason('unknownClass', { keys: ['A', 'B'], fund: 'Harbour' }), 'must be one of A, B, the classes of Harbour'],
  [reason('noClasses', { fund: 'Harbour' }), 'must be empty: Harbour has no classes'],
  [reason('notTheSum', { total: '100.5', parts: 'the sum of the purposes' }), 'must be 100.5, the sum of the purposes'],
  [reason('numberTaken', { noun: 'call' }), 'is the number of another call of this fund'],
  [reason('mappingRule', { rule: 'Rule 1', text: 'is empty' }), 'Rule 1: is empty'],
])('%j reads “%s”', (why, text) => {
  expect(textOf(why)).toBe(text);
});

test('a refusal has the reasons of its flags for programs, and their texts for people', () => {
  const flags = { email: reason('emailTaken'), title: 'is too plain' };
  const refusal = new Refusal('badRequest', undefined, { flags });
  expect(refusal.message).toBe('email is already used by another user');
  expect(refusal.flags).toEqual({ email: 'is already used by another user', title: 'is too plain' });
  expect(refusal.reasons).toEqual({ email: { code: 'emailTaken' }, title: reason('other', { text: 'is too plain' }) });
  expect(refusal.reason).toBeNull();
  expect(tooSoon(90).reason).toEqual({ code: 'tooSoon', data: { seconds: 90 } });
});

test('flags at other paths keep their reasons, and the refusal its message', () => {
  const refusal = new Refusal('badRequest', tooSoon(5).reason!, { flags: { email: reason('emailTaken') } });
  const moved = atPaths(refusal, (path, { code }) => `${code}.${path}`);
  expect(moved).toMatchObject({ reason: tooSoon(5).reason, message: refusal.message, cause: refusal });
  expect(moved.reasons).toEqual({ 'emailTaken.email': { code: 'emailTaken' } });
});

test('the issue of a schema has the reason that the schema gives', () => {
  const schema = z.object({
    sum: notNegativeSchema,
    name: z.string().refine(() => false, because(reason('noAccount'))),
  });
  const { error } = schema.safeParse({ sum: '-1', name: 'x' });
  expect(error!.issues.map(reasonOfIssue)).toEqual([reason('atLeastZero'), reason('noAccount')]);
  expect(refuseIssues(issuesOf(error!, { sum: '-1', name: 'x' })).reasons.sum).toEqual(reason('atLeastZero'));
});

test('with every text reworded, codes and data are the same', async () => {
  const refusal = await reworded(() => {
    const { error } = z.object({ sum: notNegativeSchema }).safeParse({ sum: '-1' });
    return [refuseIssues(error!.issues), new Refusal('badRequest', 'Stop', { flags: { a: 'is wrong' } })];
  });
  expect(refusal.map(({ flags, issues }) => [flags, issues?.[0]?.message])).toEqual([
    [{ sum: '0 tsael ta eb tsum' }, '0 tsael ta eb tsum'],
    [{ a: 'gnorw si' }, undefined],
  ]);
  expect(refusal[0]!.reasons).toEqual({ sum: { code: 'atLeastZero' } });
  expect(textOf(reason('atLeastZero'))).toBe('must be at least 0');
});

test('a text with a small letter first continues the name of its field', () => {
  expect(
    ['is required', 'already has one', 'Enter a number', '“x” is no date', '5 are too many', ''].map(continuesName),
  ).toEqual([true, true, false, false, false, false]);
  expect(sentenceOf('title', 'is required')).toBe('title is required');
  expect(sentenceOf('amount.sum', 'Write a number')).toBe('amount.sum: Write a number');
  expect(sentenceOf('', 'has unknown fields: extra')).toBe('The request has unknown fields: extra');
  expect(sentenceOf('', 'Give 1 to 50 files')).toBe('Give 1 to 50 files');
});
