import { useLocation, useRouteLoaderData } from '@remix-run/react';
import { Tabs } from '../page/tabs.tsx';
import { findScreen } from './navigation.ts';
import { SHELL_ROUTE, type ShellData } from './shell-data.ts';

/** The tabs of the navigation's item that the page belongs to, on the pages of these tabs; none for a single screen. */
export function SectionTabs() {
  const { pathname } = useLocation();
  const shell = useRouteLoaderData(SHELL_ROUTE) as ShellData | undefined;
  const found = shell ? findScreen(pathname, shell) : null;
  if (!found) return null;
  const { screen, setting, item } = found;
  const { label, screens } = setting ?? item;
  const isList = screen.to === pathname || (screen.pages ?? []).includes(pathname);
  if (!isList || screens.length < 2) return null;
  return (
    <Tabs label={label} tabs={screens.map(({ label: tab, to }) => ({ label: tab, to, current: to === screen.to }))} />
  );
}
