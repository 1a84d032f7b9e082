import interLatin from '@fontsource-variable/inter/files/inter-latin-wght-normal.woff2?url';
import { data, type LinksFunction, type LoaderFunctionArgs } from '@remix-run/node';
import { Links, Outlet, Scripts, ScrollRestoration, useMatches, useRouteLoaderData } from '@remix-run/react';
import type { ReactNode } from 'react';
import { SEND_ONCE } from './components/forms/send-once.ts';
import { NO_GENERATED_CODE } from './components/no-generated-code.ts';
import { ErrorScreen } from './components/page/error-screen.tsx';
import { documentTitle } from './components/page/page-name.ts';
import styles from './components/styles/app.css?url';
import { csrfTokenOf } from './http/csrf.server.ts';
import { newFormKey } from './http/form-key.ts';
import { themeOf } from './http/preferences.server.ts';

export const links: LinksFunction = () => [
  { rel: 'preload', as: 'font', type: 'font/woff2', href: interLatin, crossOrigin: 'anonymous' },
  { rel: 'stylesheet', href: styles },
  { rel: 'icon', type: 'image/svg+xml', href: '/favicon.svg' },
];

export async function loader({ request, context }: LoaderFunctionArgs) {
  return data({
    csrfToken: await csrfTokenOf(request, context),
    theme: themeOf(request, context),
    nonce: context.nonce,
    formKey: newFormKey(),
  });
}

export function Layout({ children }: { children: ReactNode }) {
  // Undefined if the root loader itself failed.
  const root = useRouteLoaderData<typeof loader>('root');
  return (
    <html lang="en" data-theme={root?.theme ?? 'system'}>
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>{documentTitle(useMatches())}</title>
        <Links />
        <script
          nonce={root?.nonce}
          suppressHydrationWarning
          // biome-ignore lint/security/noDangerouslySetInnerHtml: both scripts are constants in our code
          dangerouslySetInnerHTML={{ __html: NO_GENERATED_CODE + SEND_ONCE }}
        />
        <noscript>
          <style nonce={root?.nonce}>
            {'.needs-script{display:none!important}.scripted-window{height:auto!important;overflow:visible!important}'}
          </style>
        </noscript>
      </head>
      <body>
        {children}
        <ScrollRestoration nonce={root?.nonce} />
        <Scripts nonce={root?.nonce} />
      </body>
    </html>
  );
}

export default function Root() {
  return <Outlet />;
}

export function ErrorBoundary() {
  return (
    <main className="px-6">
      <ErrorScreen />
    </main>
  );
}
