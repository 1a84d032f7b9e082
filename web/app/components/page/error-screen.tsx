import { isRouteErrorResponse, Link, useRevalidator, useRouteError } from '@remix-run/react';
import { type ReactNode, useEffect } from 'react';
import { paths } from '../../paths.ts';
import { buttonClass } from '../forms/button.tsx';

interface ShownError {
  title: string;
  message: string;
  next: string;
  traceId: string | null;
}

const TITLES: Record<number, { title: string; next: string }> = {
  400: { title: 'That could not be done', next: 'Go back and change what the message names.' },
  401: { title: 'Please sign in', next: 'Sign in and open the page again.' },
  403: { title: 'You may not do this', next: 'Ask an administrator for the permission, or go back.' },
  404: {
    title: 'There is nothing here',
    next: 'Check the address, or start from the dashboard. It may also be something that you may not see.',
  },
  429: { title: 'A little slower', next: 'Wait a minute and try again.' },
};
const UNREACHABLE = {
  title: 'No connection',
  message: 'The server cannot be reached.',
  next: 'This page is tried again every few seconds and comes back by itself.',
};
const TRIED_AGAIN_AFTER_MS = 2000;
const FAULT = { title: 'Something went wrong', next: 'Try again. If it happens twice, send the trace id to support.' };

/** Whether a page could not be read because no answer came at all: what browsers throw then is a TypeError, in words of their own. */
const isUnreachable = (error: unknown): boolean =>
  error instanceof TypeError && /fetch|network|load failed/i.test(error.message);

/** What an error boundary shows for whatever was thrown: the API's message, its trace id, and what to do next. */
export function describeError(error: unknown): ShownError {
  if (isUnreachable(error)) return { ...UNREACHABLE, traceId: null };
  if (!isRouteErrorResponse(error)) {
    return { ...FAULT, message: 'Try again later or contact the support', traceId: null };
  }
  const body = (typeof error.data === 'object' && error.data !== null ? error.data : {}) as {
    message?: unknown;
    traceId?: unknown;
  };
  const words = TITLES[error.status] ?? FAULT;
  return {
    ...words,
    message:
      typeof body.message === 'string'
        ? body.message
        : error.status === 404
          ? 'Not found'
          : 'Try again later or contact the support',
    traceId: typeof body.traceId === 'string' ? body.traceId : null,
  };
}

/** The error boundary of every route: `export { ErrorScreen as ErrorBoundary } from '../components/page/error-screen.tsx'`. */
export function ErrorScreen({ actions }: { actions?: ReactNode }) {
  const error = useRouteError();
  const shown = describeError(error);
  const { revalidate, state } = useRevalidator();
  const waits = isUnreachable(error) && state === 'idle';
  useEffect(() => {
    if (!waits) return;
    const timer = setTimeout(revalidate, TRIED_AGAIN_AFTER_MS);
    return () => clearTimeout(timer);
  }, [waits, revalidate]);
  // The route's own title says what was asked for, which is not here.
  useEffect(() => {
    const before = document.title;
    document.title = `${shown.title} · Tapeline`;
    return () => {
      document.title = before;
    };
  }, [shown.title]);
  return (
    <div className="mx-auto max-w-[34rem] py-16">
      <h1 className="text-xl font-[620] tracking-[-0.015em]">{shown.title}</h1>
      <p role="alert" className="mt-2 text-base">
        {shown.message}
      </p>
      <p className="mt-1 text-sm text-ink-2">{shown.next}</p>
      {shown.traceId ? (
        <p className="mt-4 text-xs text-ink-3">
          Trace id <code className="font-mono text-ink-2">{shown.traceId}</code>
        </p>
      ) : null}
      <div className="mt-6 flex gap-2">
        {actions ?? (
          <>
            <Link to={paths.home()} className={buttonClass('primary')}>
              To the dashboard
            </Link>
            <Link to="." reloadDocument className={buttonClass()}>
              Try again
            </Link>
          </>
        )}
      </div>
    </div>
  );
}
