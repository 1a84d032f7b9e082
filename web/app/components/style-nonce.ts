/**
 * The nonce that style elements of this document need. It is read once, before the page is hydrated: navigating loads
 * the root again, with the nonce of a later request.
 */
export const STYLE_NONCE: string | undefined =
  typeof document === 'undefined'
    ? undefined
    : document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce || undefined;
