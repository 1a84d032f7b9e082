import { expect, test } from 'vitest';
import { reachedAt, readLaunchSettings } from './settings.ts';

test.each([
  [undefined, '127.0.0.1'],
  ['', '127.0.0.1'],
  ['0.0.0.0', '127.0.0.1'],
  ['::', '127.0.0.1'],
  ['192.0.2.7', '192.0.2.7'],
  ['::1', '[::1]'],
])('with HOST %j the web app is reached from this machine at %s', (HOST, address) => {
  expect(reachedAt(readLaunchSettings({ NODE_ENV: 'test', HOST }, '/').host)).toBe(address);
});
