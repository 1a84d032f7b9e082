import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

const folder = new URL('./routes/', import.meta.url);
const screens = readdirSync(folder).filter((name) => name.startsWith('_app.'));
const sourceOf = (name: string): string => {
  const own = new URL(`${name}/route.tsx`, folder);
  return readFileSync(existsSync(own) ? own : new URL(name, folder), 'utf8');
};

it('every signed-in screen keeps its frame when it fails, or may not be seen', () => {
  expect(screens.length).toBeGreaterThan(10);
  expect(screens.filter((name) => !sourceOf(name).includes('ErrorBoundary'))).toEqual([]);
});
