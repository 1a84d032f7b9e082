import type { RouteConfigEntry } from '@remix-run/route-config';
import { expect, test } from 'vitest';
import { ErrorScreen } from '../components/page/error-screen.tsx';
import { SHELL_ROUTE } from '../components/shell/shell-data.ts';
import routes, { SIGNED_IN_SCREENS } from '../routes.ts';

const filesOf = (entries: readonly RouteConfigEntry[]): string[] =>
  entries.flatMap(({ file, children = [] }) => [file, ...filesOf(children)]);
const open = (file: string) => import(new URL(`../${file}`, import.meta.url).href);

test('every signed-in screen keeps the shell when it fails or must not be seen', async () => {
  const shell = routes.find(({ id }) => id === SHELL_ROUTE);
  const [within, ...others] = shell?.children ?? [];
  expect(others).toEqual([]);
  expect((await open(within?.file ?? '')).ErrorBoundary).toBe(ErrorScreen);
  const screens = filesOf(within?.children ?? []);
  expect(screens).toEqual(filesOf(SIGNED_IN_SCREENS));
  for (const file of screens) {
    const screen = await open(file);
    expect(screen.default, file).toBeTypeOf('function');
    // Its own boundary would have to be within the shell as well.
    expect([undefined, ErrorScreen], file).toContain(screen.ErrorBoundary);
  }
});
