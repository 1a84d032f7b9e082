import { describe, expect, it } from 'vitest';
import { paths, safeNext } from './paths.ts';

describe('where to go on to after signing in', () => {
  it('keeps a place of our own, with its search part', () => {
    expect(safeNext('/monitoring/tapes?skip=20')).toBe('/monitoring/tapes?skip=20');
  });
  it.each([
    'https://evil.example',
    '//evil.example',
    '/\\evil.example',
    'javascript:alert(1)',
    '',
    null,
    undefined,
    '/\t/evil.example',
  ])('leads home instead of to %j', (next) => {
    const safe = safeNext(next);
    expect(new URL(safe, 'http://product.test').host).toBe('product.test');
    expect(safe.startsWith('//')).toBe(false);
  });
});

describe('paths', () => {
  it('leave out what is not asked for and escape what is', () => {
    expect(paths.tapes()).toBe('/monitoring/tapes');
    expect(paths.loginCode({ email: 'a+b@example.com' })).toBe('/login/code?email=a%2Bb%40example.com');
  });
});
