import { expect, test } from 'vitest';
import { loggedPath, traceIdOf } from './tracing.ts';

test('the log holds neither the search part nor the signed part of an address', () => {
  expect(loggedPath('/crud/users?filter=ada@tapeline.test')).toBe('/crud/users');
  expect(loggedPath('/files/objects/eyJrZXkiOiJ4In0.c2lnbmF0dXJl?x=1')).toBe('/files/objects/...');
  expect(loggedPath('/files/signedUrls/loanTapes')).toBe('/files/signedUrls/loanTapes');
});

test("a caller's trace is kept where it is a trace, and never one of zeros", () => {
  const given = '4bf92f3577b34da6a3ce929d0e0e4736';
  expect(traceIdOf(`00-${given}-00f067aa0ba902b7-01`)).toBe(given);
  for (const wrong of [undefined, given, `00-${'0'.repeat(32)}-00f067aa0ba902b7-01`]) {
    expect(traceIdOf(wrong)).toMatch(/^[0-9a-f]{32}$/);
    expect(traceIdOf(wrong)).not.toMatch(/^0+$/);
  }
});
