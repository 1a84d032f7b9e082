/** Values of a Cookie header by name; the first of a name counts. */
export function parseCookies(header: string | null | undefined): Record<string, string> {
  const cookies: Record<string, string> = {};
  for (const part of header?.split(';') ?? []) {
    const at = part.indexOf('=');
    if (at < 1) continue;
    const name = part.slice(0, at).trim();
    if (name in cookies) continue;
    const value = part.slice(at + 1).trim();
    try {
      cookies[name] = decodeURIComponent(value);
    } catch {
      cookies[name] = value;
    }
  }
  return cookies;
}

export interface CookieSettings {
  /** Zero ends the cookie at once. */
  maxAgeSeconds: number;
  isSecure: boolean;
  /** False only where scripts of our own clients must read it. */
  httpOnly?: boolean;
}

/** A Set-Cookie header for the whole site, sent along on links from elsewhere but not with foreign forms. */
export function writeCookie(name: string, value: string, settings: CookieSettings): string {
  const parts = [`${name}=${encodeURIComponent(value)}`, 'Path=/', `Max-Age=${settings.maxAgeSeconds}`, 'SameSite=Lax'];
  if (settings.httpOnly ?? true) parts.push('HttpOnly');
  if (settings.isSecure) parts.push('Secure');
  return parts.join('; ');
}
