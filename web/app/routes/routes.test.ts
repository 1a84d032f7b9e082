import type { RouteConfigEntry } from '@remix-run/route-config';
import { describe, expect, it } from 'vitest';
import { SIGNED_IN_SCREENS } from '../routes.ts';

const filesOf = (routes: readonly RouteConfigEntry[]): string[] =>
  routes.flatMap(({ file, children = [] }) => [file, ...filesOf(children)]);

describe('every signed-in screen keeps the shell when it fails or must not be seen', () => {
  it.each(filesOf(SIGNED_IN_SCREENS))('%s', async (file) => {
    const screen = await import(new URL(`../${file}`, import.meta.url).href);
    expect(screen.ErrorBoundary ?? screen.default).toBeTypeOf('function');
    expect(screen).toHaveProperty('ErrorBoundary');
  });
});
