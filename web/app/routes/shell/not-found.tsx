import type { LoaderFunctionArgs, MetaFunction } from '@remix-run/node';
import { ErrorScreen } from '../../components/page/error-screen.tsx';
import { answerError } from '../../http/errors.server.ts';
import { readScreen } from '../../http/screen.server.ts';

export const meta: MetaFunction = () => [{ title: 'Page not found · Tapeline' }];

/** Handles every address that no other route matches. */
export function loader(args: LoaderFunctionArgs) {
  return readScreen(args, null, (): null => {
    throw answerError(args.context, 'notFound', 'No page exists at this address.');
  });
}

export default function NotFound() {
  return null;
}

export { ErrorScreen as ErrorBoundary };
