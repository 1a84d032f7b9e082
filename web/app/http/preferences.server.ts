import { isId } from '@tapeline/domain/documents/id.schema.ts';
import type { RequestContext } from './context.ts';
import { parseCookies, writeCookie } from './cookies.server.ts';
import { cookieNames } from './session.server.ts';
import { isTheme, type Theme } from './theme.ts';

const YEAR_SECONDS = 365 * 86_400;

/** How this browser displays pages. Kept in cookies, so that the first byte of a page is already right. */
export function themeOf(request: Request, context: RequestContext): Theme {
  const held = parseCookies(request.headers.get('cookie'))[cookieNames(context.environment).theme];
  return isTheme(held) ? held : 'system';
}

export function isRailFolded(request: Request, context: RequestContext): boolean {
  return parseCookies(request.headers.get('cookie'))[cookieNames(context.environment).rail] === 'folded';
}

/** Saves the display preferences in the form, and leaves the others unchanged. */
export function keepPreferences(form: FormData, context: RequestContext): void {
  const names = cookieNames(context.environment);
  const settings = { maxAgeSeconds: YEAR_SECONDS, isSecure: context.isSecure };
  const theme = form.get('theme');
  if (isTheme(theme)) context.setCookie(writeCookie(names.theme, theme, settings));
  const filter = form.get('groupFilter');
  if (typeof filter === 'string') {
    const chosen = isId(filter) ? filter : '';
    context.setCookie(
      writeCookie(names.groupFilter, chosen, { ...settings, maxAgeSeconds: chosen ? YEAR_SECONDS : 0 }),
    );
  }
  const rail = form.get('rail');
  if (rail === 'folded' || rail === 'open') context.setCookie(writeCookie(names.rail, rail, settings));
}
