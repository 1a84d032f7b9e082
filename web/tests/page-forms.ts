import { inject } from 'vitest';
import { type Account, itemsOfAccount, NAVIGATION } from '../app/components/shell/navigation.ts';
import type { ScreenClient } from './screen-client.ts';

export const plainOf = (text: string): string =>
  text
    .replaceAll('&quot;', '"')
    .replaceAll('&#x27;', "'")
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&');
export const attribute = (tag: string, name: string): string | null => {
  const [, value = null] = new RegExp(`\\s${name}="([^"]*)"`).exec(tag) ?? [];
  return value === null ? null : plainOf(value);
};

export interface Form {
  readonly action: string;
  readonly fields: readonly (readonly [name: string, value: string])[];
}

/** What a person could type where a field is empty. */
const TYPED: Readonly<Record<string, string>> = { email: 'ada@example.test', date: '2026-05-29', number: '1' };

/** The forms of a page that send something, with their fields as they are shown; what is empty is filled in. */
export function formsOf(html: string, address: string): Form[] {
  return [...html.matchAll(/<form\b([^>]*)>([\s\S]*?)<\/form>/g)].flatMap(([, tag = '', content = '']) => {
    if (attribute(` ${tag}`, 'method')?.toLowerCase() !== 'post') return [];
    const fields: [string, string][] = [];
    for (const [field] of content.matchAll(/<(?:input|button)\b[^>]*>/g)) {
      const name = attribute(field, 'name');
      const type = attribute(field, 'type') ?? 'text';
      const isLeft = /^(checkbox|radio)$/.test(type) && !/\schecked/.test(field);
      if (
        name === null ||
        name === 'csrf' ||
        type === 'file' ||
        isLeft ||
        (field.startsWith('<button') && type !== 'submit')
      )
        continue;
      fields.push([
        name,
        attribute(field, 'value') || (type === 'hidden' || type === 'submit' ? '' : (TYPED[type] ?? 'Words')),
      ]);
    }
    for (const [, select = '', options = ''] of content.matchAll(/<select\b([^>]*)>([\s\S]*?)<\/select>/g)) {
      const name = attribute(` ${select}`, 'name');
      const values = [...options.matchAll(/<option\b[^>]*>/g)].map(([option]) => attribute(option, 'value') ?? '');
      if (name !== null) fields.push([name, values.find((value) => value !== '') ?? '']);
    }
    for (const [, area = '', text = ''] of content.matchAll(/<textarea\b([^>]*)>([\s\S]*?)<\/textarea>/g)) {
      const name = attribute(` ${area}`, 'name');
      if (name !== null) fields.push([name, plainOf(text) || 'Words']);
    }
    return [{ action: attribute(` ${tag}`, 'action') ?? address, fields }];
  });
}

/** Currencies have a page each: of these, one with many rates and one without any are opened besides the first. */
const ANY_CURRENCY = /(?<=^\/admin\/currencies\/)(?!EUR|AFN)[A-Z]{3}(?=\/|$)/;

/** The same screen for another document: its address without ids, with the part of it that is shown. */
export function screenOf(address: string): string {
  const { pathname, searchParams } = new URL(address, inject('productUrl'));
  const part = ['view', 'tab', 'ask'].map((name) => searchParams.get(name) ?? '').join(' ');
  return `${pathname.replaceAll(/[0-9a-f]{24}/g, ':id').replace(ANY_CURRENCY, ':id')} ${part}`.trim();
}

/** Links that end the sign-in, or whose answer is a stream or a large file and not a screen. */
const NOT_OPENED =
  /^\/(sign-out|login|docs|notifications\/stream)|\/(preview|export|archive|download|exports)\b|format=/;

export interface Opened {
  readonly address: string;
  readonly text: string;
}

/**
 * Opens the first document of each list, and what its page leads to, each screen once. The tabs of a page are opened in
 * the same step as the page.
 */
export async function openScreens(
  screens: ScreenClient,
  { start, steps, failed }: { start: readonly string[]; steps: number; failed: string[] },
): Promise<Opened[]> {
  const seen = new Set(start.map(screenOf));
  const opened: Opened[] = [];
  let step = [...start];
  for (let depth = 0; depth <= steps && step.length > 0; depth++) {
    const next: string[] = [];
    for (const address of step) {
      const page = await screens.get(address);
      if (page.status >= 500) failed.push(`${address}: ${page.status}`);
      if (!page.headers.get('content-type')?.startsWith('text/html') || page.status >= 300) continue;
      opened.push({ address, text: page.text });
      for (const [, href = ''] of page.text.matchAll(/<a\b[^>]*\shref="([^"]*)"/g)) {
        const to = new URL(plainOf(href), new URL(address, inject('productUrl')));
        if (to.origin !== new URL(inject('productUrl')).origin) continue;
        const path = `${to.pathname}${to.search}`;
        if (NOT_OPENED.test(path) || seen.has(screenOf(path))) continue;
        seen.add(screenOf(path));
        const isTab = to.pathname === new URL(address, to).pathname && to.searchParams.has('view');
        (isTab ? step : next).push(path);
      }
    }
    step = next;
  }
  return opened;
}

const ACCOUNTS = Object.keys(NAVIGATION) as Account[];
/** The screens of every account's navigation. */
const ITEMS = [
  ...new Set(
    ACCOUNTS.flatMap((account) => itemsOfAccount(account).flatMap(({ screens }) => screens.map(({ to }) => to))),
  ),
];

/** The screens of the navigation that the account is offered: on its home page, as tabs and among the settings. */
export async function offeredTo(screens: ScreenClient): Promise<string[]> {
  const offered = new Set(['/']);
  for (const address of offered) {
    const { text } = await screens.get(address);
    for (const to of ITEMS) if (text.includes(`href="${to}"`)) offered.add(to);
  }
  return [...offered];
}
