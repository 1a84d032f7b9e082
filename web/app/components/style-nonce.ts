/**
 * The nonce that this document's style elements need. The one of the root loader is of a later request once the page has
 * loaded new data.
 */
export const styleNonce = (): string | undefined =>
  document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce || undefined;
