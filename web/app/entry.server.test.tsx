import type { AppLoadContext, EntryContext } from '@remix-run/node';
import { expect, test } from 'vitest';
import handleRequest from './entry.server.tsx';

/** A product whose only page is this component. */
function productOf(Page: () => React.ReactNode): EntryContext {
  const location = { pathname: '/', search: '', hash: '', state: null, key: 'default' };
  const context = {
    manifest: {
      version: '1',
      url: '/manifest.js',
      entry: { module: '/entry.js', imports: [] },
      routes: { root: ROOT },
    },
    routeModules: { root: { default: Page } },
    staticHandlerContext: {
      basename: '/',
      location,
      matches: [{ params: {}, pathname: '/', pathnameBase: '/', route: { id: 'root' } }],
      loaderData: {},
      actionData: null,
      errors: null,
    },
    future: { v3_singleFetch: true },
    serverHandoffStream: new ReadableStream({ start: (stream) => stream.close() }),
    renderMeta: {},
    isSpaMode: false,
    serializeError: (error: Error) => ({ message: error.message }),
  };
  return context as unknown as EntryContext;
}
const ROOT = { id: 'root', path: '', hasLoader: false, hasAction: false, module: '/root.js' };

async function render(Page: () => React.ReactNode) {
  const logged: unknown[] = [];
  const texts = new WeakMap<Response, string>();
  const context = { nonce: 'n', texts, log: { error: ({ err }: { err: unknown }) => logged.push(err) } };
  const answer = handleRequest(
    new Request('https://tapeline.test/'),
    200,
    new Headers(),
    productOf(Page),
    context as unknown as AppLoadContext,
  );
  return { answer, logged, texts };
}

test('a page is answered as a whole, and kept out of caches', async () => {
  const { answer, texts } = await render(() => <p>{'é'.repeat(50_000)}</p>);
  const response = await answer;
  expect(response.status).toBe(200);
  expect(response.headers.get('cache-control')).toBe('private, no-store');
  const text = await response.text();
  expect(text).toContain(`<p>${'é'.repeat(50_000)}</p>`);
  expect(texts.get(response)).toBe(text);
});

test('a page that cannot be rendered is left to the error page', async () => {
  const fault = new Error('The page has a fault');
  const { answer, logged } = await render(() => {
    throw fault;
  });
  await expect(answer).rejects.toBe(fault);
  await expect.poll(() => logged).toEqual([fault]);
});
