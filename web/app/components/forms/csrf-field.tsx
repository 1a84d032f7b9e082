import { useRouteLoaderData } from '@remix-run/react';

export const CSRF_FIELD_NAME = 'csrf';

/** The double submit token. Every form must contain one. `ScreenForm` and `ActionForm` already do. */
export function CsrfField() {
  return <input type="hidden" name={CSRF_FIELD_NAME} value={useCsrfToken()} />;
}

/** The token for calls made by JavaScript, sent as the `X-CSRF-Token` header. */
export function useCsrfToken(): string {
  const root = useRouteLoaderData('root') as { csrfToken?: string } | undefined;
  return root?.csrfToken ?? '';
}
