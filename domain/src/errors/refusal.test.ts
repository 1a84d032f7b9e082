import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { ERROR_CATALOGUE, isRefusal, Refusal, type RefusalCode, refuseIssues } from './refusal.ts';

test('The catalogue has the codes, names and messages of the wire', () => {
  expect(Object.values(ERROR_CATALOGUE).map(({ status, name, message }) => [status, name, message])).toEqual([
    [400, 'BadRequest', 'Something went wrong'],
    [401, 'UnAuthorized', 'Please sign in first'],
    [403, 'Forbidden', 'You are not allowed to access this route'],
    [404, 'NotFound', 'Not found'],
    [429, 'TooMany', 'Slow down. You are trying to access this route too frequent.'],
    [502, 'ServerError', 'Try again later or contact the support'],
  ]);
});

describe('a refusal', () => {
  test.each(Object.keys(ERROR_CATALOGUE) as RefusalCode[])('of the code %s has the default message', (code) => {
    expect(new Refusal(code).message).toBe(ERROR_CATALOGUE[code].message);
    expect(new Refusal(code, 'In other words').message).toBe('In other words');
  });

  test('is told apart from a bug', () => {
    expect(isRefusal(new Refusal('notFound'))).toBe(true);
    expect(isRefusal(new Error('notFound'))).toBe(false);
    expect(isRefusal({ name: 'Refusal', code: 'notFound' })).toBe(false);
  });

  test('keeps what caused it, and has no cause where there is none', () => {
    const cause = new Error('disk full');
    expect(new Refusal('serverError', undefined, { cause }).cause).toBe(cause);
    expect('cause' in new Refusal('serverError')).toBe(false);
  });
});

describe('faults made into a refusal', () => {
  test('name each path once, by its first fault, and keep them all', () => {
    const refusal = refuseIssues([
      { path: ['notes', 0, 'title'], message: 'is required' },
      { path: ['notes', 0, 'title'], message: 'is too short' },
      { path: [], message: 'is not whole' },
    ]);
    expect(refusal).toMatchObject({ code: 'badRequest', message: 'is required' });
    expect(refusal.flags).toEqual({ 'notes.0.title': 'is required', '': 'is not whole' });
    expect(refusal.issues).toHaveLength(3);
    expect(refusal.issues?.[0]?.path).toEqual(['notes', 0, 'title']);
  });

  test('may have a message over them all, and have the default where there are none', () => {
    expect(refuseIssues([{ path: ['a'], message: 'is required' }], 'See the flags').message).toBe('See the flags');
    expect(refuseIssues([]).message).toBe('Something went wrong');
  });

  test('take a schema’s faults as they are', () => {
    const { error } = z.object({ title: z.string('is required') }).safeParse({});
    expect(refuseIssues(error!.issues).flags).toEqual({ title: 'is required' });
  });
});
