import { ERROR_CATALOGUE, Refusal, type RefusalCode, tooSoon } from '@tapeline/domain/errors/refusal.ts';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { isOwnFault, refusalAnswer } from './errors.server.ts';

const messageOf = async (refusal: Refusal): Promise<unknown> =>
  (await refusalAnswer({ traceId: 't' }, refusal).json()).message;

it('tells a screen how long to wait in its own words', async () => {
  expect(await messageOf(tooSoon(840))).toBe('Too many requests. Try again in 14 minutes.');
});

it('leaves every other message as it is', async () => {
  expect(await messageOf(new Refusal('notFound', 'This email no longer exists.'))).toBe('This email no longer exists.');
});

it.each(Object.keys(ERROR_CATALOGUE) as RefusalCode[])('a refusal %s is logged only if the server failed', (code) => {
  expect(isOwnFault(new Refusal(code), false)).toBe(code === 'serverError');
  expect(isOwnFault(refusalAnswer({ traceId: 't' }, new Refusal(code)), false)).toBe(code === 'serverError');
});

it('logs bugs, and neither invalid input nor what nobody waits for nor what a worker has logged', () => {
  const ofWorker = (type: string) => new Error('failed', { cause: Object.assign(new Error('why'), { type }) });
  expect(isOwnFault(new TypeError('a bug'), false)).toBe(true);
  expect(isOwnFault(new TypeError('a bug'), true)).toBe(false);
  expect(isOwnFault(z.string().safeParse(1).error, false)).toBe(false);
  expect(isOwnFault(ofWorker('Refusal'), false)).toBe(false);
  expect(isOwnFault(ofWorker('DataFault'), false)).toBe(false);
  expect(isOwnFault(ofWorker('TypeError'), false)).toBe(true);
});
