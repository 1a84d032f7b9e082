import { expect, it } from 'vitest';
import { settingsOf } from './settings.ts';

it('expects a 502 only from calls that are not available, and does not sign out', () => {
  const settings = settingsOf({
    '/crud/funds': { get: {}, post: { 'x-unavailable': true } },
    '/auth/signOut': { post: {} },
  });
  const operations = settings.split('[[operations]]').slice(1);
  expect(operations).toHaveLength(2);
  expect(operations[0]).toMatch(/include-path = "\/auth\/signOut"\s+enabled = false/);
  expect(operations[1]).toMatch(/include-name = "POST \/crud\/funds"\s+checks\.not_a_server_error.*"502"/);
  expect(settings.slice(0, settings.indexOf('[[operations]]'))).not.toContain('502');
});
