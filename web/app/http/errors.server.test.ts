import { Refusal, tooSoon } from '@tapeline/domain/errors/refusal.ts';
import { expect, it } from 'vitest';
import { answerRefusal } from './errors.server.ts';

const messageOf = async (refusal: Refusal): Promise<unknown> =>
  (await answerRefusal({ traceId: 't' }, refusal).json()).message;

it('tells a screen how long to wait in its own words', async () => {
  expect(await messageOf(tooSoon(840))).toBe('Too many requests. Try again in 14 minutes.');
});

it('leaves every other message as it is', async () => {
  expect(await messageOf(new Refusal('notFound', 'This email no longer exists.'))).toBe('This email no longer exists.');
});
