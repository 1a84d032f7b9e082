import { isRouteErrorResponse, Link, useLocation, useRevalidator, useRouteError } from '@remix-run/react';
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
  400: { title: 'Unable to complete the request', next: 'Go back, correct the problem and try again.' },
  401: { title: 'Sign in required', next: 'Sign in, then open the page again.' },
  403: { title: 'You don’t have permission to do this', next: 'Ask an administrator for access, or go back.' },
  404: {
    title: 'Page not found',
    next: 'Check the address or start from Home. You may not have access to this page.',
  },
  429: { title: 'Too many requests', next: 'Wait a minute and try again.' },
};
const UNREACHABLE = {
  title: 'No connection',
  message: 'Can’t reach the server.',
  next: 'This page retries every few seconds and reloads automatically.',
};
const TRIED_AGAIN_AFTER_MS = 2000;
const PROBLEM = {
  title: 'Something went wrong',
  next: 'Try again. If the problem persists, contact support with the trace ID.',
};

/**
 * Whether a page could not be read because there was no answer. Browsers throw a TypeError with a message that varies.
 */
const isUnreachable = (error: unknown): boolean =>
  error instanceof TypeError && /fetch|network|load failed/i.test(error.message);

/** Describes any thrown value for an error boundary: the API's message, its trace id, and what to do next. */
export function describeError(error: unknown): ShownError {
  if (isUnreachable(error)) return { ...UNREACHABLE, traceId: null };
  if (!isRouteErrorResponse(error)) {
    return { ...PROBLEM, message: 'Try again later or contact the support', traceId: null };
  }
  const body = (typeof error.data === 'object' && error.data !== null ? error.data : {}) as {
    message?: unknown;
    traceId?: unknown;
  };
  const words = TITLES[error.status] ?? PROBLEM;
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

/** What went wrong, in place of a page. The error boundary of all screens within the shell, and of the document. */
export function ErrorScreen({ actions }: { actions?: ReactNode }) {
  const error = useRouteError();
  const shown = describeError(error);
  const { revalidate, state } = useRevalidator();
  const { pathname, search } = useLocation();
  const waits = isUnreachable(error) && state === 'idle';
  useEffect(() => {
    if (!waits) return;
    const timer = setTimeout(revalidate, TRIED_AGAIN_AFTER_MS);
    return () => clearTimeout(timer);
  }, [waits, revalidate]);
  // The route's own title names content that is not shown here.
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
          Trace ID <code className="font-mono text-ink-2">{shown.traceId}</code>
        </p>
      ) : null}
      <div className="mt-6 flex gap-2">
        {actions ?? (
          <>
            <Link to={paths.home()} className={buttonClass('primary')}>
              Go to Home
            </Link>
            <Link to={pathname + search} reloadDocument className={buttonClass()}>
              Try again
            </Link>
          </>
        )}
      </div>
    </div>
  );
}
