/**
 * The nonce that the content security policy of this document asks of style elements. Read once, when the entry loads:
 * the policy of a document does not change, but a later answer of the root loader has another nonce.
 */
export const pageNonce =
  typeof document === 'undefined' ? undefined : document.querySelector<HTMLScriptElement>('script[nonce]')?.nonce;
