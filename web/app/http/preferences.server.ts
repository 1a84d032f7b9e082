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

/** An administrator acts for several managers. */
const MAX_HIDDEN = 20;

/** The managers whose first steps this browser no longer shows. */
function hiddenFirstSteps(request: Request, { environment }: RequestContext): string[] {
  const held = parseCookies(request.headers.get('cookie'))[cookieNames(environment).firstSteps] ?? '';
  return held.split('.').filter(isId).slice(0, MAX_HIDDEN);
}

export const hidesFirstSteps = (request: Request, context: RequestContext, managerId: string): boolean =>
  hiddenFirstSteps(request, context).includes(managerId);

/** Saves the display preferences in the form, and leaves the others unchanged. */
export function keepPreferences(form: FormData, request: Request, context: RequestContext): void {
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
  const manager = form.get('firstSteps');
  if (isId(manager)) {
    const hidden = [...new Set([manager, ...hiddenFirstSteps(request, context)])].slice(0, MAX_HIDDEN);
    context.setCookie(writeCookie(names.firstSteps, hidden.join('.'), settings));
  }
  const rail = form.get('rail');
  if (rail === 'folded' || rail === 'open') context.setCookie(writeCookie(names.rail, rail, settings));
}
