import { expect, test } from 'vitest';
import { MOST_ATTEMPTS, mailText, retryWaitMs } from './mail.ts';

test('the waits double from half a minute to four hours', () => {
  expect([1, 2, 3, 9, 10, 16].map((attempts) => retryWaitMs(attempts) / 1000)).toEqual([
    30, 60, 120, 7680, 14_400, 14_400,
  ]);
});

test('sending is given up after about a day', () => {
  const waits = Array.from({ length: MOST_ATTEMPTS - 1 }, (_, place) => retryWaitMs(place + 1));
  const hours = waits.reduce((sum, wait) => sum + wait, 0) / 3_600_000;
  expect(hours).toBeGreaterThan(24);
  expect(hours).toBeLessThan(36);
});

test('the link is on its own line', () => {
  const mail = {
    firstName: 'Ann',
    lines: 'The draw was approved.',
    page: '/monitoring/draws/1',
    pageTitle: 'Open the draw',
  };
  expect(mailText(mail, 'https://tapeline.example')).toBe(
    'Hello Ann,\n\nThe draw was approved.\n\nOpen the draw:\nhttps://tapeline.example/monitoring/draws/1\n',
  );
});
