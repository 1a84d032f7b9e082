import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { ERROR_CATALOGUE, isRefusal, Refusal, type RefusalCode, refuseIssues } from './refusal.ts';

test('The catalogue has the codes and names of the wire', () => {
  expect(Object.values(ERROR_CATALOGUE).map(({ status, name }) => [status, name])).toEqual([
    [400, 'BadRequest'],
    [401, 'UnAuthorized'],
    [403, 'Forbidden'],
    [404, 'NotFound'],
    [429, 'TooMany'],
    [502, 'ServerError'],
  ]);
});

describe('a refusal', () => {
  test.each(Object.keys(ERROR_CATALOGUE) as RefusalCode[])('of the code %s has the default message', (code) => {
    expect(new Refusal(code).message).toBe(ERROR_CATALOGUE[code].message);
    expect(new Refusal(code, 'In other words').message).toBe('In other words');
  });

  test('says its first flag as a sentence where it has no message', () => {
    expect(new Refusal('badRequest', undefined, { flags: { title: 'is required' } }).message).toBe('title is required');
    expect(new Refusal('badRequest', 'In other words', { flags: { title: 'is required' } }).message).toBe(
      'In other words',
    );
  });

  test('is told apart from a bug', () => {
    expect(isRefusal(new Refusal('notFound'))).toBe(true);
    expect(isRefusal(new Error('notFound'))).toBe(false);
    expect(isRefusal({ name: 'Refusal', code: 'notFound' })).toBe(false);
  });

  test('keeps its cause, if there is one', () => {
    const cause = new Error('disk full');
    expect(new Refusal('serverError', undefined, { cause }).cause).toBe(cause);
    expect('cause' in new Refusal('serverError')).toBe(false);
  });
});

describe('issues converted to a refusal', () => {
  test('name each path once, with its first issue, and keep all issues', () => {
    const refusal = refuseIssues([
      { path: ['notes', 0, 'title'], message: 'is required' },
      { path: ['notes', 0, 'title'], message: 'is too short' },
      { path: [], message: 'is not whole' },
    ]);
    expect(refusal).toMatchObject({ code: 'badRequest', message: 'notes.0.title is required' });
    expect(refusal.flags).toEqual({ 'notes.0.title': 'is required', '': 'is not whole' });
    expect(refusal.issues).toHaveLength(3);
    expect(refusal.issues?.[0]?.path).toEqual(['notes', 0, 'title']);
  });

  test('may have an overall message, and have the default if there are none', () => {
    expect(refuseIssues([{ path: ['a'], message: 'is required' }], 'See the flags').message).toBe('See the flags');
    expect(refuseIssues([]).message).toBe('Something went wrong');
  });

  test('accept a schema’s issues unchanged', () => {
    const { error } = z.object({ title: z.string('is required') }).safeParse({});
    expect(refuseIssues(error!.issues).flags).toEqual({ title: 'is required' });
  });
});
