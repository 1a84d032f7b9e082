import { expect, test } from 'vitest';
import { routePatterns } from './route-patterns.ts';

const patternOf = routePatterns(
  {
    root: { path: '' },
    shell: { parentId: 'root' },
    home: { parentId: 'shell' },
    tapes: { path: 'monitoring/tapes', parentId: 'shell' },
    newTape: { path: 'monitoring/tapes/new', parentId: 'shell' },
    tape: { path: 'monitoring/tapes/:id', parentId: 'shell' },
    correct: { path: 'correct', parentId: 'tape' },
    crud: { path: 'crud/*', parentId: 'root' },
  },
  ['/healthz', '/assets/*'],
);

test('an address has the pattern of its screen, whose parameters have no value', () => {
  expect(patternOf('/')).toBe('/');
  expect(patternOf('/_root.data')).toBe('/');
  expect(patternOf('/monitoring/tapes')).toBe('/monitoring/tapes');
  expect(patternOf('/monitoring/tapes/new')).toBe('/monitoring/tapes/new');
  expect(patternOf('/monitoring/tapes/0123456789abcdef01234567')).toBe('/monitoring/tapes/:id');
  expect(patternOf('/monitoring/tapes/0123456789abcdef01234567.data')).toBe('/monitoring/tapes/:id');
  expect(patternOf('/monitoring/tapes/new/correct')).toBe('/monitoring/tapes/:id/correct');
});

test('a splat covers what follows, and an unknown address has no pattern', () => {
  expect(patternOf('/crud/funds/1')).toBe('/crud/*');
  expect(patternOf('/crud')).toBe('/crud/*');
  expect(patternOf('/healthz')).toBe('/healthz');
  expect(patternOf('/assets/root-1234.js')).toBe('/assets/*');
  expect(patternOf('/nothing/here')).toBeUndefined();
  expect(patternOf(`/crud${'/x'.repeat(19)}`)).toBe('/crud/*');
  expect(patternOf(`/crud${'/x'.repeat(20)}`)).toBeUndefined();
});
