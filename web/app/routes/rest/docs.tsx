import type { LoaderFunctionArgs } from '@remix-run/node';
import { renderToStaticMarkup } from 'react-dom/server';
import { endpoints } from '../../api/api.server.ts';
import { openApiDocument } from '../../api/openapi.ts';
import styles from '../../components/styles/app.css?url';
import { keptAnswer } from '../../http/kept-answer.server.ts';
import { ApiDocumentation } from './docs-page.tsx';

/** The page as a document of its own, without scripts: it is the same for everyone. */
const answer = keptAnswer(
  'text/html; charset=utf-8',
  () =>
    `<!doctype html>${renderToStaticMarkup(
      <html lang="en" data-theme="system">
        <head>
          <meta charSet="utf-8" />
          <meta name="viewport" content="width=device-width, initial-scale=1" />
          <meta name="color-scheme" content="light dark" />
          <title>API · Tapeline</title>
          <link rel="stylesheet" href={styles} />
          <link rel="icon" type="image/svg+xml" href="/favicon.svg" />
        </head>
        <body>
          <ApiDocumentation document={openApiDocument(endpoints, '1')} />
        </body>
      </html>,
    )}`,
);

export const loader = ({ request }: LoaderFunctionArgs) => answer(request);
