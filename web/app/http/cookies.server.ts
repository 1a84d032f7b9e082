import { isStorable } from '@tapeline/domain/wire/text.ts';

function decoded(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}

/**
 * Parses a Cookie header into values by name. The first value of a name wins. Values that cannot be stored are ignored.
 */
export function parseCookies(header: string | null | undefined): Record<string, string> {
  const cookies: Record<string, string> = {};
  for (const part of header?.split(';') ?? []) {
    const at = part.indexOf('=');
    if (at < 1) continue;
    const name = part.slice(0, at).trim();
    if (name in cookies) continue;
    const value = part.slice(at + 1).trim();
    const read = decoded(value);
    if (isStorable(read)) cookies[name] = read;
  }
  return cookies;
}

export interface CookieSettings {
  /** Zero ends the cookie at once. */
  maxAgeSeconds: number;
  isSecure: boolean;
  /** False only if scripts of our own clients have to read the cookie. */
  httpOnly?: boolean;
}

/**
 * Builds a Set-Cookie header for the whole site. The cookie is sent when following links from other sites, but not with
 * forms of other sites.
 */
export function writeCookie(name: string, value: string, settings: CookieSettings): string {
  const parts = [`${name}=${encodeURIComponent(value)}`, 'Path=/', `Max-Age=${settings.maxAgeSeconds}`, 'SameSite=Lax'];
  if (settings.httpOnly ?? true) parts.push('HttpOnly');
  if (settings.isSecure) parts.push('Secure');
  return parts.join('; ');
}
