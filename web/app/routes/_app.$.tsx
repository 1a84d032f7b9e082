import type { LoaderFunctionArgs, MetaFunction } from '@remix-run/node';
import { ErrorScreen } from '../components/page/error-screen.tsx';
import { answerError } from '../errors.server.ts';
import { readScreen } from '../screen.server.ts';

export const meta: MetaFunction = () => [{ title: 'There is nothing here · Tapeline' }];

/** Every address that no other route knows. */
export function loader(args: LoaderFunctionArgs) {
  return readScreen(args, null, (): null => {
    throw answerError(args.context, 'notFound', 'There is no page at this address.');
  });
}

export default function NotFound() {
  return null;
}

export { ErrorScreen as ErrorBoundary };
