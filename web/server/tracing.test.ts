import { expect, test } from 'vitest';
import { loggedPath } from './tracing.ts';

test('the log holds neither the search part nor the signed part of an address', () => {
  expect(loggedPath('/crud/users?filter=ada@tapeline.test')).toBe('/crud/users');
  expect(loggedPath('/files/objects/eyJrZXkiOiJ4In0.c2lnbmF0dXJl?x=1')).toBe('/files/objects/...');
  expect(loggedPath('/files/signedUrls/loanTapes')).toBe('/files/signedUrls/loanTapes');
});
